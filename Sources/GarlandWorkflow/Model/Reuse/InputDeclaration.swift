public import GarlandJSON

/// An entry of a document's `inputs`: a value that the caller of the document provides.
public struct InputDeclaration: Sendable {
  /// The name of the input.
  public let name: Located<String>
  /// The type that values of the input must have, from the key `type:`; nil if any type is allowed.
  public let type: JSONTypeName?
  /// The value that is used if the caller provides no value, from the key `default:`. It can use secrets and the environment, but no
  /// variables.
  public let defaultValue: ValueTemplate?
  /// Whether the caller must provide a value. False if the input has a default, or if its key `required` is false.
  public let isRequired: Bool
  /// The description of the input, from the key `description:`.
  let description: String?
  /// The value of the input from the command line, for a document that the user runs directly; nil if there is none.
  public let given: JSONValue?

  /// The input's name in backquotes, followed by its description in parentheses, for errors.
  var named: String { "`\(name.value)`" + (description.map { " (\(Words.excerpt($0)))" } ?? "") }

  /// Converts a value to the type of the input. A value that has this type is returned unchanged. A text that represents a number or a
  /// boolean is converted, since secrets, environment variables and table cells are texts. Returns nil for any other value.
  public func taken(_ value: Value) -> Value? {
    guard let type, !type.matches(value.json) else { return value }
    guard case .string(let text) = value.json else { return nil }
    let read: JSONValue? =
      switch type {
      case .number, .integer: JSONNumber(text).map { .number($0) }
      case .boolean: text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
      case .null, .string, .array, .object: nil
      }
    guard let read, type.matches(read) else { return nil }
    return Value(read, isSecret: value.isTainted)
  }
}

/// An entry of a document's `outputs`: a value that the caller of the document can read after the call.
public struct OutputDeclaration: Sendable {
  /// The name of the output.
  let name: Located<String>
  /// The output's value, which is evaluated after the last step has ended.
  public let value: ValueTemplate
  /// The ordinals (indexes in the document) of the steps to which the output's value refers. If the value refers to a step twice, the list
  /// contains the step twice.
  public let stepOrdinals: [Int]
  /// The references to variables, secrets and other inputs in the value.
  public let inputs: [InputReference]
}

public import GarlandJSON

/// An entry of a document's `inputs`: a value that a caller gives.
public struct InputDeclaration: Sendable {
  /// Its name.
  public let name: Located<String>
  /// `type:`; nil for any.
  public let type: JSONTypeName?
  /// `default:`, the value when none is given. It can use secrets and the environment, but no variables.
  public let defaultValue: ValueTemplate?
  /// Whether there has to be a value: `required`, or without a default.
  public let isRequired: Bool
  /// `description:`.
  public let description: String?
  /// The value from the command line, for a document that is run by itself.
  public let given: JSONValue?

  /// Its name as errors quote it, and what it is for.
  var named: String { "`\(name.value)`" + (description.map { " (\(Words.excerpt($0)))" } ?? "") }

  /// Returns the value that the input takes: a value of its type unchanged, and for a number or a
  /// boolean also a text that represents one, since secrets, environment variables and cells of a
  /// table are texts. Nil for a value that it refuses.
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

/// An entry of a document's `outputs`: a value that a caller receives.
public struct OutputDeclaration: Sendable {
  /// Its name.
  public let name: Located<String>
  /// Its value, evaluated when the last step has ended.
  public let value: ValueTemplate
  /// The ordinals of the steps that it names, each as often as it is named.
  public let stepOrdinals: [Int]
  /// The variables, secrets and environment variables it uses.
  public let inputs: [InputReference]
}

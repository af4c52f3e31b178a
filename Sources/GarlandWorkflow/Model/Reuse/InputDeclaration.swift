public import GarlandJSON

/// One of a document's `inputs`: what those who call it give.
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
  /// What the command line gives, for a document that is run by itself.
  public let given: JSONValue?

  /// Whether a value is one that it takes.
  public func admits(_ value: JSONValue) -> Bool { type.map { $0.matches(value) } ?? true }
}

/// One of a document's `outputs`: what those who call it get.
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

/// One violation of a schema by a value.
public struct JSONSchemaFailure: Sendable, Hashable {
  /// The location of the violation in the value.
  public let instanceLocation: JSONPointer
  /// The URI of the keyword that failed. Its fragment is the location in the schema:
  /// `https://example.com/book#/properties/id/type`.
  public let schemaLocation: String
  /// The name of the keyword that failed; empty if the schema is `false`.
  public let keyword: String
  /// A description of the expected and the actual value.
  public let message: String
  /// The failures of each alternative of `anyOf`, `oneOf` and `contains`; empty for other keywords.
  public let causes: [JSONSchemaFailure]
}

extension JSONSchemaFailure: CustomStringConvertible {
  /// The location in the value and the message.
  public var description: String { "\(instanceLocation.tokens.isEmpty ? "/" : instanceLocation.description): \(message)" }
}

/// One violation of a schema by a value.
public struct JSONSchemaFailure: Sendable, Hashable {
  /// The place in the value.
  public let instanceLocation: JSONPointer
  /// The keyword that failed, as a URI with the place in the schema as its fragment: `https://example.com/book#/properties/id/type`.
  public let schemaLocation: String
  /// The name of the keyword that failed; empty where the schema is `false`.
  public let keyword: String
  /// The expected and the actual value in words.
  public let message: String
  /// For `anyOf`, `oneOf` and `contains`: the failures of each alternative.
  public let causes: [JSONSchemaFailure]
}

extension JSONSchemaFailure: CustomStringConvertible {
  /// The place in the value and the message.
  public var description: String { "\(instanceLocation.tokens.isEmpty ? "/" : instanceLocation.description): \(message)" }
}

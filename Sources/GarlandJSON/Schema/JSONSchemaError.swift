/// The error of a schema that cannot be compiled, with the location of the mistake.
public struct JSONSchemaError: Error, Sendable, Hashable {
  /// The URI of the document that contains the mistake; empty if this document has no URI.
  public let document: String
  /// The location of the mistake in the document that contains the schema.
  public let location: JSONPointer
  /// A description of the mistake in the schema.
  public let message: String
}

extension JSONSchemaError: CustomStringConvertible {
  /// The message, and the location of the mistake in the schema.
  public var description: String { "\(message) (in the schema at \(document)#\(location.uriFragment))" }
}

/// The error of a resolver that cannot return a document.
public struct JSONSchemaResolverError: Error, Sendable, Hashable {
  /// A message that explains why the referenced schema document is not available.
  public let message: String

  /// Creates an error with a message.
  public init(message: String) {
    self.message = message
  }
}

/// The error of a validation that stopped without a result.
public enum JSONSchemaEvaluationError: Error, Sendable, Hashable {
  /// A schema refers to itself, directly or through other schemas, for the same value, so that validation would never end.
  case endlessReference(schemaLocation: String, instanceLocation: JSONPointer)
  /// The value and the schema are nested so deeply that validation would exhaust the stack.
  case tooDeep(schemaLocation: String, instanceLocation: JSONPointer)
  /// The match of a pattern stopped without a result, for example because the pattern is too complex for the text.
  case pattern(RegularExpressionMatchingError, schemaLocation: String, instanceLocation: JSONPointer)
  /// The enclosing ``Computation`` has reached its time limit.
  case outOfTime(schemaLocation: String, instanceLocation: JSONPointer)
}

extension JSONSchemaEvaluationError: CustomStringConvertible {
  /// The error message.
  public var description: String {
    switch self {
    case .endlessReference(let schema, _): "the reference at \(schema) refers to itself without end"
    case .tooDeep(let schema, let instance): "the value is nested too deeply for the schema (at \(instance), \(schema))"
    case .pattern(let error, let schema, let instance): "\(error) (at \(instance), \(schema))"
    case .outOfTime(let schema, let instance): "the time limit was reached (at \(instance), \(schema))"
    }
  }
}

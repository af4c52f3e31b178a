/// The error of a schema that cannot be compiled, with its place.
public struct JSONSchemaError: Error, Sendable, Hashable {
  /// The URI of the document with the mistake; empty for a schema without one.
  public let document: String
  /// The place in that document.
  public let location: JSONPointer
  /// The mistake in words.
  public let message: String
}

extension JSONSchemaError: CustomStringConvertible {
  /// The message and the place.
  public var description: String { "\(message) (in the schema at \(document)#\(location.uriFragment))" }
}

/// The error of a resolver that cannot return a document.
public struct JSONSchemaResolverError: Error, Sendable, Hashable {
  /// The reason, in words.
  public let message: String

  /// Creates an error with a reason in words.
  public init(message: String) {
    self.message = message
  }
}

/// The error of a validation that gave no result.
public enum JSONSchemaEvaluationError: Error, Sendable, Hashable {
  /// References lead back to their start without going deeper into the value.
  case endlessReference(schemaLocation: String, instanceLocation: JSONPointer)
  /// The value and the schema are nested so deeply that validation would exhaust the stack.
  case tooDeep(schemaLocation: String, instanceLocation: JSONPointer)
  /// A pattern exceeded its limits on a text.
  case pattern(RegularExpressionMatchingError, schemaLocation: String, instanceLocation: JSONPointer)
  /// The time of the enclosing ``Computation`` is over.
  case outOfTime(schemaLocation: String, instanceLocation: JSONPointer)
}

extension JSONSchemaEvaluationError: CustomStringConvertible {
  /// The error in words.
  public var description: String {
    switch self {
    case .endlessReference(let schema, _): "the reference at \(schema) leads back to itself without end"
    case .tooDeep(let schema, let instance): "the value is nested too deeply for the schema (at \(instance), \(schema))"
    case .pattern(let error, let schema, let instance): "\(error) (at \(instance), \(schema))"
    case .outOfTime(let schema, let instance): "the time for it was over (at \(instance), \(schema))"
    }
  }
}

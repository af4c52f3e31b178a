/// Why a schema cannot be compiled, and where.
public struct JSONSchemaError: Error, Sendable, Hashable {
  /// The URI of the document that the mistake is in; empty for a schema without one.
  public let document: String
  /// Where in that document.
  public let location: JSONPointer
  /// What is wrong, in words.
  public let message: String
}

extension JSONSchemaError: CustomStringConvertible {
  /// The message and the place.
  public var description: String { "\(message) (in the schema at \(document)#\(location.uriFragment))" }
}

/// Why a resolver does not give a document.
public struct JSONSchemaResolverError: Error, Sendable, Hashable {
  /// The reason, in words.
  public let message: String

  /// A reason, in words.
  public init(message: String) {
    self.message = message
  }
}

/// Why validating came to no result.
public enum JSONSchemaEvaluationError: Error, Sendable, Hashable {
  /// References lead back to where they began without going deeper into the value.
  case endlessReference(schemaLocation: String, instanceLocation: JSONPointer)
  /// The value and the schema are nested so deeply that the program would run out of stack.
  case tooDeep(schemaLocation: String, instanceLocation: JSONPointer)
  /// A pattern gave up on a text.
  case pattern(RegularExpressionMatchingError, schemaLocation: String, instanceLocation: JSONPointer)
  /// The ``Computation`` that it is part of is over.
  case outOfTime(schemaLocation: String, instanceLocation: JSONPointer)
}

extension JSONSchemaEvaluationError: CustomStringConvertible {
  /// What happened, in words.
  public var description: String {
    switch self {
    case .endlessReference(let schema, _): "the reference at \(schema) leads back to itself without end"
    case .tooDeep(let schema, let instance): "the value is nested too deeply for the schema (at \(instance), \(schema))"
    case .pattern(let error, let schema, let instance): "\(error) (at \(instance), \(schema))"
    case .outOfTime(let schema, let instance): "the time for it was over (at \(instance), \(schema))"
    }
  }
}

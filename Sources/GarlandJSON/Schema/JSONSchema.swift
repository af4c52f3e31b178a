/// A compiled JSON Schema, of [2020-12](https://json-schema.org/draft/2020-12/json-schema-core) or draft-07.
///
/// ```swift
/// let schema = try JSONSchema(["type": "object", "required": ["id"], "properties": ["id": ["type": "integer"]]])
/// for failure in try schema.validate(["id": "7"]) {
///   print(failure.instanceLocation, failure.message)   // /id expected an integer, found a string
/// }
/// ```
///
/// A schema is compiled once, with all its references, and validates any number of values, from
/// several tasks at once. Numbers are exact: `multipleOf: 0.01` holds for `19.99`. Patterns are
/// ECMA-262's and end within their limits.
public struct JSONSchema: Sendable {
  /// The supported drafts.
  public enum Draft: String, Sendable, Hashable, CaseIterable {
    /// `http://json-schema.org/draft-07/schema#`.
    case draft7 = "http://json-schema.org/draft-07/schema"
    /// `https://json-schema.org/draft/2020-12/schema`.
    case draft2020 = "https://json-schema.org/draft/2020-12/schema"
  }

  /// Returns the document of an absolute URI without fragment, or throws the reason why it cannot.
  public typealias Resolver = @Sendable (_ uri: String) throws(JSONSchemaResolverError) -> JSONValue

  /// Options for compiling a schema.
  public struct Options: Sendable {
    /// The draft of a schema without `$schema`, 2020-12 by default.
    public var defaultDraft: Draft
    /// Whether `format` is checked. By default it is an annotation, as 2020-12 requires.
    /// ``JSONSchema/assertedFormats`` lists the formats that are checked.
    public var assertsFormats: Bool
    /// The base URI of relative references until an `$id` sets another.
    public var baseURI: String
    /// Returns documents that a reference names and that are not in the schema itself. Nil by
    /// default, which makes such a reference an error.
    public var resolver: Resolver?

    /// Creates options; each has a default.
    public init(
      defaultDraft: Draft = .draft2020, assertsFormats: Bool = false, baseURI: String = "", resolver: Resolver? = nil
    ) {
      self.defaultDraft = defaultDraft
      self.assertsFormats = assertsFormats
      self.baseURI = baseURI
      self.resolver = resolver
    }
  }

  /// The formats that are checked if ``Options/assertsFormats`` is true. Any other format stays an
  /// annotation.
  public static var assertedFormats: [String] { SchemaFormat.allCases.map(\.rawValue) }

  let program: SchemaProgram

  /// Compiles a schema and all schemas that it refers to.
  public init(_ schema: JSONValue, options: Options = Options()) throws(JSONSchemaError) {
    var compiler = SchemaCompiler(options: options)
    program = try compiler.compile(schema)
  }

  /// Returns the failures of a value in the order in which the schema finds them; empty for a valid
  /// value.
  ///
  /// - Parameters:
  ///   - instance: The value.
  ///   - limit: The largest number of failures to return.
  public func validate(_ instance: JSONValue, limit: Int = 1000) throws(JSONSchemaEvaluationError) -> [JSONSchemaFailure] {
    var evaluation = SchemaEvaluation(program: program, failureLimit: limit)
    return try evaluation.failures(of: instance)
  }

  /// Whether a value is valid. It stops at the first failure.
  public func isValid(_ instance: JSONValue) throws(JSONSchemaEvaluationError) -> Bool {
    var evaluation = SchemaEvaluation(program: program, failureLimit: 0)
    return try evaluation.isValid(instance)
  }
}

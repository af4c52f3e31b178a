/// A compiled JSON Schema, of [2020-12](https://json-schema.org/draft/2020-12/json-schema-core) or draft-07.
///
/// ```swift
/// let schema = try JSONSchema(["type": "object", "required": ["id"], "properties": ["id": ["type": "integer"]]])
/// for failure in try schema.validate(["id": "7"]) {
///   print(failure.instanceLocation, failure.message)   // /id expected an integer, found a string
/// }
/// ```
///
/// It is compiled once, with all its references, and validates as many values as one likes, from several tasks at once.
/// Numbers are exact: `multipleOf: 0.01` holds for `19.99`. Patterns are ECMA-262's and cannot hang.
public struct JSONSchema: Sendable {
  /// The drafts that can be compiled.
  public enum Draft: String, Sendable, Hashable, CaseIterable {
    /// `http://json-schema.org/draft-07/schema#`.
    case draft7 = "http://json-schema.org/draft-07/schema"
    /// `https://json-schema.org/draft/2020-12/schema`.
    case draft2020 = "https://json-schema.org/draft/2020-12/schema"
  }

  /// Gives the document of an absolute URI without fragment, from wherever it likes, or throws the reason why it does not.
  public typealias Resolver = @Sendable (_ uri: String) throws(JSONSchemaResolverError) -> JSONValue

  /// How a schema is compiled.
  public struct Options: Sendable {
    /// The draft of schemas without `$schema`, 2020-12 by default.
    public var defaultDraft: Draft
    /// Whether `format` is checked. By default it is an annotation, as 2020-12 says. ``JSONSchema/assertedFormats`` are the ones that are
    /// checked.
    public var assertsFormats: Bool
    /// The URI that relative references are resolved against until an `$id` gives another.
    public var baseURI: String
    /// Where documents come from that a reference names and that are not in the schema itself. Without one, and by default, such a
    /// reference is an error.
    public var resolver: Resolver?

    /// Options with their defaults.
    public init(
      defaultDraft: Draft = .draft2020, assertsFormats: Bool = false, baseURI: String = "", resolver: Resolver? = nil
    ) {
      self.defaultDraft = defaultDraft
      self.assertsFormats = assertsFormats
      self.baseURI = baseURI
      self.resolver = resolver
    }
  }

  /// The formats that are checked when ``Options/assertsFormats`` is set. Any other stays an annotation.
  public static var assertedFormats: [String] { SchemaFormat.allCases.map(\.rawValue) }

  let program: SchemaProgram

  /// Compiles a schema with all that it refers to.
  public init(_ schema: JSONValue, options: Options = Options()) throws(JSONSchemaError) {
    var compiler = SchemaCompiler(options: options)
    program = try compiler.compile(schema)
  }

  /// The failures of a value against the schema, in the order in which the schema finds them; none when it is valid.
  ///
  /// - Parameter limit: How many failures are enough.
  public func validate(_ instance: JSONValue, limit: Int = 1000) throws(JSONSchemaEvaluationError) -> [JSONSchemaFailure] {
    var evaluation = SchemaEvaluation(program: program, failureLimit: limit)
    return try evaluation.failures(of: instance)
  }

  /// Whether a value is valid, which stops at the first failure.
  public func isValid(_ instance: JSONValue) throws(JSONSchemaEvaluationError) -> Bool {
    var evaluation = SchemaEvaluation(program: program, failureLimit: 0)
    return try evaluation.isValid(instance)
  }
}

/// A compiled JSON Schema, of [2020-12](https://json-schema.org/draft/2020-12/json-schema-core) or draft-07.
///
/// ```swift
/// let schema = try JSONSchema(["type": "object", "required": ["id"], "properties": ["id": ["type": "integer"]]])
/// for failure in try schema.validate(["id": "7"]) {
///   print(failure.instanceLocation, failure.message)   // /id expected an integer, found a string
/// }
/// ```
///
/// A schema is compiled once, with all its references. It validates any number of values, also from several tasks at once. Numbers are
/// exact: `19.99` is valid for `multipleOf: 0.01`. Patterns have the syntax of ECMA-262, and the limits of ``RegularExpression/Limits``
/// apply to their matching.
public struct JSONSchema: Sendable {
  /// The supported drafts.
  public enum Draft: String, Sendable, Hashable, CaseIterable {
    /// Draft-07, `http://json-schema.org/draft-07/schema#`.
    case draft7 = "http://json-schema.org/draft-07/schema"
    /// Draft 2020-12, `https://json-schema.org/draft/2020-12/schema`.
    case draft2020 = "https://json-schema.org/draft/2020-12/schema"
  }

  /// A function that returns the document at an absolute URI without a fragment, or throws the reason why the document is not available.
  public typealias Resolver = @Sendable (_ uri: String) throws(JSONSchemaResolverError) -> JSONValue

  /// Options for compiling a schema.
  public struct Options: Sendable {
    /// The draft of a schema without `$schema`, 2020-12 by default.
    public var defaultDraft: Draft
    /// Whether `format` is checked. False by default: `format` is then only an annotation, as JSON Schema 2020-12 requires.
    /// ``JSONSchema/assertedFormats`` lists the formats that are checked.
    public var assertsFormats: Bool
    /// The base URI for relative references. An `$id` in the schema can set another base URI.
    public var baseURI: String
    /// The function that loads a document to which a reference points, if the document is not a part of the schema. If this property is
    /// nil, as by default, such a reference is an error.
    public var resolver: Resolver?

    /// Creates options. Each option has a default.
    public init(
      defaultDraft: Draft = .draft2020, assertsFormats: Bool = false, baseURI: String = "", resolver: Resolver? = nil
    ) {
      self.defaultDraft = defaultDraft
      self.assertsFormats = assertsFormats
      self.baseURI = baseURI
      self.resolver = resolver
    }
  }

  /// The formats that are checked if ``Options/assertsFormats`` is true. Any other format is only an
  /// annotation.
  public static var assertedFormats: [String] { SchemaFormat.allCases.map(\.rawValue) }

  let program: SchemaProgram

  /// Compiles a schema and all schemas to which it refers.
  public init(_ schema: JSONValue, options: Options = Options()) throws(JSONSchemaError) {
    var compiler = SchemaCompiler(options: options)
    program = try compiler.compile(schema)
  }

  /// Returns the failures of a value in the order in which the schema finds them; empty for a valid
  /// value.
  ///
  /// - Parameters:
  ///   - instance: The value to validate.
  ///   - limit: The maximum number of failures to return.
  public func validate(_ instance: JSONValue, limit: Int = 1000) throws(JSONSchemaEvaluationError) -> [JSONSchemaFailure] {
    var evaluation = SchemaEvaluation(program: program, failureLimit: limit)
    return try evaluation.failures(of: instance)
  }

  /// Returns whether a value is valid. Stops at the first failure.
  public func isValid(_ instance: JSONValue) throws(JSONSchemaEvaluationError) -> Bool {
    var evaluation = SchemaEvaluation(program: program, failureLimit: 0)
    return try evaluation.isValid(instance)
  }
}

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
  /// The failures that caused the failure of `anyOf`, `oneOf` or `contains`: those of each alternative of `anyOf` or `oneOf`, or those of
  /// the first five elements for `contains`. Empty for other keywords.
  public let causes: [JSONSchemaFailure]
}

extension JSONSchemaFailure: CustomStringConvertible {
  /// The failure in one line, such as `/title: expected a string`: the location in the value, and the message.
  public var description: String { "\(instanceLocation.tokens.isEmpty ? "/" : instanceLocation.description): \(message)" }
}

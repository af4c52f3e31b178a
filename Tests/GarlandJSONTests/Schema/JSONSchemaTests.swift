import GarlandJSON
import Testing

@Suite("JSON Schema: errors, references and limits")
struct JSONSchemaTests {
  private func failures(_ schema: String, _ instance: String, _ options: JSONSchema.Options = JSONSchema.Options()) throws
    -> [JSONSchemaFailure]
  {
    let schema = try JSONSchema(json(schema), options: options)
    let instance = try json(instance)
    let failures = try schema.validate(instance)
    #expect(try schema.isValid(instance) == failures.isEmpty)
    return failures
  }

  @Test("a failure names the location in the value, the location in the schema, and the value found")
  func failure() throws {
    let schema = #"""
      {"$id":"https://example.com/book","type":"object","required":["id","title"],"additionalProperties":false,
      "properties":{"id":{"$ref":"#/$defs/id"},"title":{"type":"string"},"tags":{"items":{"enum":["a","b"]}}},"$defs":{"id":{"type":"integer","minimum":1}}}
      """#
    let failures = try failures(schema, ##"{"id":"7","tags":["a","c"],"titel":"Dune"}"##)
    #expect(
      failures.map(\.description) == [
        "/: the member 'title' is missing", "/id: expected an integer, found the string \"7\"",
        "/tags/1: expected one of \"a\", \"b\", found \"c\"",
        "/titel: this member is not allowed; did you mean 'title'?",
      ])
    #expect(
      failures.map(\.schemaLocation) == [
        "https://example.com/book#/required", "https://example.com/book#/$defs/id/type",
        "https://example.com/book#/properties/tags/items/enum",
        "https://example.com/book#/additionalProperties",
      ])
    #expect(failures.map(\.keyword) == ["required", "type", "enum", "additionalProperties"])
    #expect(try JSONSchema(json(schema)).validate(json(##"{"id":0}"##), limit: 1).count == 1)
  }

  @Test("a failure of anyOf or oneOf gives the reason for each alternative")
  func causes() throws {
    let failures = try failures(##"{"anyOf":[{"type":"string"},{"type":"integer","maximum":3}]}"##, "5")
    #expect(failures.map(\.message) == ["expected at least one of 2 alternatives to match, but none does"])
    #expect(failures.first?.causes.map(\.schemaLocation) == ["#/anyOf/0/type", "#/anyOf/1/maximum"])
    let both = try self.failures(##"{"oneOf":[{"type":"number"},{"type":"string"},{"type":"integer"}]}"##, "5")
    #expect(both.map(\.message) == ["expected exactly one of 3 alternatives to match, but several match: those at the indexes 0, 2"])
  }

  @Test(
    "an invalid schema is refused with the location of the error",
    arguments: [
      ("7", "", "not the number 7"), (##"{"type":"strng"}"##, "/type", "string"), (##"{"type":7}"##, "/type", "not a type"),
      (##"{"properties":{"a":{"minLength":-1}}}"##, "/properties/a/minLength", "must be a whole number of at least 0"),
      (##"{"minimum":"1"}"##, "/minimum", "minimum must be a number, not the string \"1\""),
      (##"{"multipleOf":0}"##, "/multipleOf", "more than 0"), (##"{"pattern":"("}"##, "/pattern", "closed"),
      (##"{"patternProperties":{"[":{}}}"##, "/patternProperties/[", "closed"), (##"{"required":"a"}"##, "/required", "list of names"),
      (##"{"required":[1]}"##, "/required", "1 is not a name"),
      (##"{"allOf":{}}"##, "/allOf", "list"), (##"{"anyOf":[]}"##, "/anyOf", "at least one"),
      (##"{"properties":[]}"##, "/properties", "object"), (##"{"items":[{}]}"##, "/items", "prefixItems"),
      (##"{"items":5}"##, "/items", "not the number 5"), (##"{"enum":1}"##, "/enum", "list"),
      (##"{"uniqueItems":1}"##, "/uniqueItems", "true or false"), (##"{"$ref":7}"##, "/$ref", "string"),
      (##"{"$ref":"#/$defs/x"}"##, "/$ref", "no member"), (##"{"$ref":"#x"}"##, "/$ref", "anchor 'x'"),
      (##"{"$ref":"other.json"}"##, "/$ref", "not allowed"),
      (##"{"$ref":"https://example.com/a#/b"}"##, "/$ref", "https://example.com/a"),
      (##"{"$schema":"https://json-schema.org/draft/2019-09/schema"}"##, "/$schema", "draft-07"), (##"{"$schema":7}"##, "/$schema", "URI"),
      (##"{"$id":"a#b"}"##, "/$id", "$anchor"),
      (##"{"$defs":{"a":{"$id":"x"},"b":{"$id":"x"}}}"##, "/$defs/b/$id", "twice"),
      (##"{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}"##, "/$defs/b/$anchor", "twice"),
      (##"{"dependentRequired":{"a":"b"}}"##, "/dependentRequired", "list"), (##"{"format":1}"##, "/format", "string"),
    ])
  func mistakes(schema: String, location: String, part: String) throws {
    let value = try json(schema)
    let error = #expect(throws: JSONSchemaError.self) { try JSONSchema(value) }
    #expect(error?.location.description == location, "\(String(describing: error))")
    #expect(error?.message.contains(part) == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    (##"{"$ref":"#"}"##, ""), (##"{"properties":{"x":{"$ref":"#/properties/x"}}}"##, "/properties/x"),
    (##"{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"properties":{"x":{"$ref":"#/$defs/b"}}}"##, "/$defs/"),
    (##"{"$defs":{"a":{"allOf":[{"$ref":"#/$defs/a"}]}},"items":{"$ref":"#/$defs/a"}}"##, "/$defs/a"), (##"{"not":{"$ref":"#"}}"##, ""),
    (##"{"if":{"$ref":"#"}}"##, ""),
  ])
  func `a JSON Schema that refers to itself without end is refused`(_ schema: String, _ location: String) throws {
    let value = try json(schema)
    let error = try #require(throws: JSONSchemaError.self) { try JSONSchema(value) }
    #expect(error.message == "the schema refers to itself without end")
    #expect(error.location.description.hasPrefix(location), "\(error.location)")
  }

  @Test("circular references that depend on the value are an error, but recursion into the value is allowed")
  func circles() throws {
    for schema in [##"{"anyOf":[{"$ref":"#"}]}"##, ##"{"oneOf":[{"type":"string"},{"$ref":"#"}]}"##] {
      let compiled = try JSONSchema(json(schema))
      let error = #expect(throws: JSONSchemaEvaluationError.self) { try compiled.validate(1) }
      guard case .endlessReference = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    let tree = ##"{"properties":{"children":{"items":{"$ref":"#"}},"v":{"type":"integer"}},"required":["v"]}"##
    #expect(
      try failures(tree, ##"{"v":1,"children":[{"v":2,"children":[{"v":"x"}]},{}]}"##).map(\.instanceLocation.description) == [
        "/children/0/children/0/v", "/children/1",
      ])
    var deep: JSONValue = [:]
    for _ in 0..<2000 { deep = ["a": deep] }
    let nested = try JSONSchema(json(##"{"additionalProperties":{"$ref":"#"}}"##))
    #expect(throws: JSONSchemaEvaluationError.self) { try nested.validate(deep) }
    var fits: JSONValue = [:]
    for _ in 0..<200 { fits = ["a": fits] }
    #expect(try nested.isValid(fits))
  }

  @Test("documents from a resolver are used with their own drafts and identifiers")
  func resolver() throws {
    let documents: [String: String] = [
      "https://example.com/schemas/id.json":
        ##"{"$id":"https://example.com/other/","type":"integer","$defs":{"big":{"minimum":100}},"allOf":[{"$ref":"more.json"}]}"##,
      "https://example.com/other/more.json":
        ##"{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}],"minimum":5,"$ref":"#/definitions/x","definitions":{"x":{"minimum":2}}}"##,
    ]
    let options = JSONSchema.Options(
      baseURI: "https://example.com/schemas/root.json",
      resolver: { (uri) throws(JSONSchemaResolverError) in
        guard let text = documents[uri], let value = try? JSONValue(parsing: text) else {
          throw JSONSchemaResolverError(message: "there is no '\(uri)'")
        }
        return value
      })
    let schema = ##"{"properties":{"id":{"$ref":"id.json"},"big":{"$ref":"id.json#/$defs/big"}}}"##
    #expect(try failures(schema, ##"{"id":3,"big":100}"##, options).isEmpty)
    #expect(
      try failures(schema, ##"{"id":1,"big":99}"##, options).map(\.schemaLocation) == [
        "https://example.com/other/more.json#/definitions/x/minimum", "https://example.com/other/#/$defs/big/minimum",
      ])
    let missing = try json(##"{"$ref":"nowhere.json"}"##)
    let error = #expect(throws: JSONSchemaError.self) { try JSONSchema(missing, options: options) }
    #expect(error?.message == "the reference 'nowhere.json' cannot be resolved: there is no 'https://example.com/schemas/nowhere.json'")
  }

  /// In draft-07, `prefixItems` has no meaning.
  @Test(arguments: [
    ["shared", "old", "new"], ["new", "old", "shared"], ["old", "new"], ["new", "old"], ["shared", "old"], ["old", "shared"],
  ]) func `a JSON Schema file without $schema has the draft of the schema that refers to the file`(_ references: [String]) throws {
    let documents: [String: JSONValue] = [
      "file:///old": ["$schema": "http://json-schema.org/draft-07/schema#", "allOf": [["$ref": "shared#/definitions/a"]]],
      "file:///new": ["$schema": "https://json-schema.org/draft/2020-12/schema", "allOf": [["$ref": "shared"]]],
      "file:///shared": [
        "prefixItems": [["type": "string"]],
        "definitions": ["a": ["$id": "a", "prefixItems": [["type": "string"]]]],
      ],
    ]
    let options = JSONSchema.Options(
      baseURI: "file:///root",
      resolver: { (uri) throws(JSONSchemaResolverError) in
        guard let found = documents[uri] else { throw JSONSchemaResolverError(message: "there is no '\(uri)'") }
        return found
      })
    let schema = try JSONSchema(["allOf": .array(references.map { ["$ref": .string($0)] })], options: options)
    let failures = try schema.validate([1]).map(\.schemaLocation)
    #expect(failures == references.filter { $0 != "old" }.map { _ in "file:///shared#/prefixItems/0/type" })
    let old = try JSONSchema(["$ref": "old"], options: options)
    #expect(try old.isValid([1]))
  }

  @Test("a schema can be validated with the metaschema of its draft without a resolver")
  func metaschemas() throws {
    for draft in JSONSchema.Draft.allCases {
      let schema = try JSONSchema(["$ref": .string(draft.rawValue)])
      #expect(try schema.isValid(["type": "object", "properties": ["a": ["minLength": 1]]]))
      #expect(try !schema.isValid(["type": "object", "properties": ["a": ["minLength": -1]]]))
      #expect(try !schema.isValid(["type": 12]))
    }
  }

  @Test("a pattern that is too complex for a text is an error and not a validation result")
  func complexPatterns() throws {
    let schema = try JSONSchema(["pattern": "^(a+)+[bc]$"])
    #expect(throws: JSONSchemaEvaluationError.self) { try schema.isValid(.string(String(repeating: "a", count: 60) + "!")) }
  }

  @Test("validation of 200 nested alternatives does not take exponential time")
  func nestedAlternatives() throws {
    var schema: JSONValue = ["type": "string"]
    for _ in 0..<200 { schema = ["anyOf": [schema, ["type": "null"]]] }
    #expect(try JSONSchema(schema).validate(1).count == 1)
  }
}

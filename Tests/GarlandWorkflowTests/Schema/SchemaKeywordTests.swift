import Testing

@testable import GarlandWorkflow

/// Tests of misspelt keywords in a schema. Such a keyword checks nothing, so without an error the schema would accept every value.
@Suite struct SchemaKeywordTests {
  @Test(arguments: [
    ("{fil: a.json}", "did you mean `file`?"), ("{shema: {type: array}}", "did you mean `schema`?"),
    ("{path: a.json}", "a schema without keywords accepts every value"),
    ("{formats: true}", "a schema without keywords accepts every value"),
    ("{file: {}}", "a schema without keywords accepts every value"), ("{type: object, requird: [a]}", "did you mean `required`?"),
    ("{properties: {a: {typ: number}}}", "did you mean `type`?"), ("{items: {oneOff: [true]}}", "did you mean `oneOf`?"),
    ("{allOf: [{minimun: 1}]}", "did you mean `minimum`?"), ("{formats: true, schema: {typ: string}}", "did you mean `type`?"),
  ]) func `a misspelt JSON Schema keyword in an expectation is reported`(schema: String, help: String) {
    for place in ["expect: {schema: \(schema)}", "expect: {json: {$.a: {schema: \(schema)}}}"] {
      let text = MistakesTests.render([("a", "get: /x\n\(place)")])
      #expect(text.contains("error[bad-schema]") && text.contains(help), "\(text)")
    }
  }

  @Test(arguments: [
    "{}", "true", "{title: Anything}", "{type: object, x-typ: 1, example: {typ: 1}, nullable: true}",
    "{properties: {typ: {}, requird: true}}",
    "{const: {typ: number}, default: {minimun: 1}, examples: [{typ: 1}]}", "{type: object, remark: free}",
  ]) func `an unknown keyword of a JSON Schema is accepted if it resembles no known keyword`(schema: String) {
    let text = MistakesTests.render([("a", "get: /x\nexpect: {schema: \(schema)}")])
    #expect(!text.contains("bad-schema"), "\(text)")
  }
}

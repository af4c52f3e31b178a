import GarlandJSON
import Testing

/// Tests each keyword, like the official test suite: with a schema, valid values and invalid values.
@Suite("JSON Schema: keywords")
struct JSONSchemaKeywordTests {
  private func check(_ row: JSONSchemaRow, _ draft: JSONSchema.Draft, formats: Bool = false) throws {
    let schema = try JSONSchema(json(row.schema), options: JSONSchema.Options(defaultDraft: draft, assertsFormats: formats))
    for (instances, isValid) in [(row.valid, true), (row.invalid, false)] {
      for instance in instances {
        let value = try json(instance)
        #expect(try schema.isValid(value) == isValid, "\(draft): \(row.schema) on \(instance)")
        let failures = try schema.validate(value)
        #expect(failures.isEmpty == isValid, "\(draft): \(row.schema) on \(instance)")
        for failure in failures { #expect(throws: Never.self) { try failure.instanceLocation.value(in: value) } }
      }
    }
  }

  @Test("keywords of both drafts accept valid values and reject invalid ones", arguments: 0..<JSONSchemaTables.inBothDrafts.count)
  func bothDrafts(row: Int) throws {
    for draft in JSONSchema.Draft.allCases { try check(JSONSchemaTables.inBothDrafts[row], draft) }
  }

  @Test("keywords of draft 2020-12 accept valid values and reject invalid ones", arguments: 0..<JSONSchemaTables.in2020.count)
  func draft2020(row: Int) throws {
    try check(JSONSchemaTables.in2020[row], .draft2020)
  }

  @Test("keywords of draft-07 accept valid values and reject invalid ones", arguments: 0..<JSONSchemaTables.in7.count)
  func draft7(row: Int) throws {
    try check(JSONSchemaTables.in7[row], .draft7)
  }

  @Test("a format rejects invalid texts only if formats are asserted", arguments: 0..<JSONSchemaTables.formats.count)
  func formats(row: Int) throws {
    let (format, valid, invalid) = JSONSchemaTables.formats[row]
    let schema = JSONValue.object(["format": .string(format)])
    let quoted = { (texts: [String]) in texts.map { JSONValue.string($0).description } }
    for draft in JSONSchema.Draft.allCases {
      try check((schema.description, quoted(valid) + ["1", "null", "{}"], quoted(invalid)), draft, formats: true)
      try check((schema.description, quoted(valid + invalid), []), draft, formats: false)
    }
    #expect(JSONSchema.assertedFormats.contains(format))
  }

  @Test("each supported format of JSON Schema has test values")
  func allFormats() {
    #expect(Set(JSONSchemaTables.formats.map(\.format)) == Set(JSONSchema.assertedFormats))
  }

  @Test("const and enum accept a random value only if it equals the listed value", arguments: 0..<100 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var random = RandomJSON(seed: seed)
    let value = random.value()
    let other = random.value()
    #expect(try JSONSchema(["const": value]).isValid(value))
    #expect(try JSONSchema(["enum": [other]]).isValid(value) == (value == other))
    #expect(try JSONSchema(["not": ["const": value]]).isValid(other) == (value != other))
    // Parsing any schema must succeed or throw an error.
    if let schema = try? JSONSchema(value) { #expect(throws: Never.self) { try schema.validate(other) } }
  }
}

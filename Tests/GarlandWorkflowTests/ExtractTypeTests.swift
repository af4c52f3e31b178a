import Testing

@testable import GarlandWorkflow

/// Tests of the types of extracted values, as `check` determines them.
struct ExtractTypeTests {
  private func messages(_ extract: String, _ use: String) -> [String] {
    Decode.document(
      """
      garland: 1
      steps:
        a: { get: http://h/, extract: { x: \(extract) } }
        b: { get: http://h/, \(use) }
      """
    ).diagnostics.all.map(\.message)
  }

  @Test(arguments: [
    "'$.l[*].d'", "$..d", "{ json: '$.l[?@.d > 1]' }", "'$.l[0,1]'", "'$.l[1:]'", "{ json: $.d, all: true }", "{ header: Link, all: true }",
    "{ json: $.d, first: false }",
  ]) func `an extract of several values has the type 'list'`(_ extract: String) {
    #expect(messages(extract, "for_each: \"${a.x}\"") == [])
    #expect(messages(extract, "query: { q: \"${a.x[0].y}\", r: \"${a.x | length}\" }") == [])
    #expect(messages(extract, "query: { q: \"${a.x.y}\" }") == ["`a.x` is a list, so it has no member `y`"])
    #expect(messages(extract, "query: { q: \"${a.x + 1}\" }") == ["expected a number, found a list"])
  }

  @Test(arguments: [
    "$.d", "'$.l[0].d'", "'$[\"a:b*,?..\"]'", "{ json: '$.l[*]', first: true }", "{ json: '$.l[*]', all: false }", "{ pointer: /d }",
    "{ json: $.d, default: none }", "{ json: $.d, then: first }", "{ json: '$.l[*]', then: \"default(run.id)\" }", "{ xpath: //a }",
  ]) func `an extract that selects one value can be used as a list, a mapping or a number, since its type is unknown`(_ extract: String) {
    #expect(messages(extract, "for_each: \"${a.x}\"") == [])
    #expect(messages(extract, "query: { q: \"${a.x.y}\" }") == [])
    #expect(messages(extract, "query: { q: \"${a.x + 1}\" }") == [])
  }

  @Test(arguments: ["{ cookie: c }", "{ regex: a }", "{ url: true }", "{ header: h, first: true }"])
  func `an extract from a cookie, a regular expression, the URL or a header counts as text in expressions`(_ extract: String) {
    #expect(messages(extract, "for_each: \"${a.x}\"") == ["expected a list, found text"])
    #expect(messages(extract, "query: { q: \"${a.x.y}\" }") == ["`a.x` is text, so it has no member `y`"])
  }

  @Test(arguments: [
    ("{ json: $.d, then: length }", "a number"), ("{ json: '$.l[*]', then: \"map(item.x) | join(',')\" }", "text"),
    ("{ json: $.d, matches: 'x', first: true }", "text or a list"), ("{ url: 'x', then: length }", "a number"),
    ("{ header: Link, matches: 'x' }", "text or a list"), ("{ json: '$.l[*]', matches: x, default: 1 }", "a number or a list"),
    ("{ cookie: c, matches: 'x', default: '${run.id} y' }", "text"), ("{ regex: x, then: raw }", "text"),
    ("{ url: x, then: \"split(',')\", default: [] }", "a list"), ("{ url: x, then: default(1) }", "text or a number"),
  ]) func `the type of an extract is inferred from its filters, its pattern and its default`(_ extract: String, _ kinds: String) {
    #expect(messages(extract, "query: { q: \"${a.x.y}\" }") == ["`a.x` is \(kinds), so it has no member `y`"])
  }

  @Test func `an extract with the filter 'length' can be used as a number`() {
    #expect(messages("{ url: x, then: length }", "query: { q: \"${a.x + 1 == 4}\" }") == [])
  }

  @Test func `an output of a called document has the type of the expression that computes the output`() throws {
    let decoded = Decode.document(
      "garland: 1\nsteps: { a: { call: outputs.yaml }, b: { get: http://h/, query: { q: '${a.code.x}', r: '${a.ids.x}' } } }")
    #expect(
      decoded.diagnostics.all.map(\.message) == [
        "`a.code` is a number, so it has no member `x`", "`a.ids` is a list, so it has no member `x`",
      ])
  }

  @Test(arguments: [
    ("a.x.length", "{ json: '$.l[*]' }", "a.x | length"), ("1 + a.x.length", "{ json: '$.l[*]' }", "1 + (a.x | length)"),
    ("a.x.first", "{ json: '$.l[*]' }", "a.x | first"), ("a.x.upper", "{ url: true }", "a.x | upper"),
    ("a.x.first.y", "{ url: true }", "a.x"), ("a.x['y'].z", "{ url: x, then: length }", "a.x"),
    ("a.x.size", "{ url: true }", "a.x | length"), ("(a.x).length", "{ json: '$.l[*]' }", "(a.x) | length"),
    ("(a.x).first.y", "{ url: true }", "(a.x)"),
  ]) func `if an extract has the wrong type for an expression, the suggested fix makes the document valid`(
    _ wrong: String, _ extract: String, _ right: String
  ) throws {
    let document = { (expression: String) in
      """
      garland: 1
      steps:
        a: { get: http://h/, extract: { x: \(extract) } }
        b: { get: http://h/, query: { q: "${\(expression)}" } }
      """
    }
    let diagnostic = try #require(Decode.document(document(wrong)).diagnostics.all.first)
    let fix = try #require(diagnostic.helps.first?.fix)
    var bytes = Array(document(wrong).utf8)
    bytes.replaceSubrange(fix.range.offsets, with: Array(fix.replacement.utf8))
    #expect(String(decoding: bytes, as: UTF8.self) == document(right))
    #expect(Decode.document(document(right)).diagnostics.all.map(\.message) == [])
  }

  @Test func `an extract that sets both 'first' and 'all' to true is reported as a conflict`() {
    #expect(
      messages("{ json: '$.l[*]', first: true, all: true }", "body: b") == [
        "an extract can have only one of `first` and `all`"
      ])
  }

  @Test func `if an extract is a list because of a loop, the error for a member access suggests an index or a filter`() {
    let decoded = Decode.document(
      """
      garland: 1
      steps:
        a: { get: http://h/, for_each: [1, 2], extract: { x: $.d } }
        b: { get: "http://h/${a.x.y}" }
      """)
    #expect(decoded.diagnostics.all.map(\.message) == ["`a.x` is a list, so it has no member `y`"])
    #expect(
      decoded.diagnostics.all.first?.helps.first?.message
        == "for the list's first element, write `a.x[0].y`; for all its elements, write `a.x | map(item.y)`")
  }
}

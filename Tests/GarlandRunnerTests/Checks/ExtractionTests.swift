import GarlandJSON
import GarlandWorkflow
import Testing

@testable import GarlandRunner

/// Tests of each source of an extraction, with and without a value.
struct ExtractionTests {
  static let response = FakeResponse(
    #"{"id": 7, "none": null, "token": "t-1", "books": [{"t": "a"}, {"t": "b"}], "a/b": [1, 2]}"#,
    fields: [("Location", "/books/7?x=1"), ("Via", "a"), ("Via", "b"), ("Set-Cookie", "sid=abc; Path=/")], url: "http://h/books/42?code=xyz"
  )

  struct Case: CustomTestStringConvertible, Sendable {
    let source: String
    let value: JSONValue?
    let message: String?
    init(_ source: String, _ value: JSONValue?, _ message: String? = nil) {
      self.source = source
      self.value = value
      self.message = message
    }
    var testDescription: String { source }
  }

  @Test(arguments: [
    Case("$.id", 7), Case("{ json: $.id }", 7), Case("$.none", .null), Case("\"$.books[*].t\"", ["a", "b"]),
    Case("{ json: \"$.books[*].t\", all: true }", ["a", "b"]),
    Case("{ json: \"$.books[*].t\", first: true }", "a"), Case("{ json: \"$.books[*].t\" }", ["a", "b"]), Case("$..t", ["a", "b"]),
    Case("\"$.books[0,1].t\"", ["a", "b"]), Case("\"$.books[?@.t == 'b'].t\"", ["b"]), Case("\"$.books[1:].t\"", ["b"]),
    Case("\"$.books[-1].t\"", "b"), Case("{ json: $.id, first: true }", 7), Case("{ json: \"$.books[*].q\", first: true, default: 5 }", 5),
    Case("{ json: $.id, all: true }", [7]),
    Case("$.missing", nil, "`$.missing` is missing"), Case("\"$.books[*].q\"", nil, "`$.books[*].q` selects nothing"),
    Case("{ json: $.missing, default: 5 }", 5), Case("{ json: $.missing, default: \"${vars.ten}\" }", 10),
    Case("{ json: $.missing, optional: true }", nil),
    Case("{ json: $.id, default: 5 }", 7), Case("{ json: $.none, default: 5 }", .null),
    Case("{ json: \"$.books[*].q\", all: true, default: [] }", []),
    Case("{ pointer: /a~1b/1 }", 2),
    Case("{ pointer: /books/5 }", nil, "`/books/5` is missing: '/books' has no element at index 5: its last index is 1"),
    Case("{ pointer: /x, optional: true }", nil),
    Case("{ regex: '\"token\": \"([^\"]+)\"' }", "t-1"), Case("{ regex: 't-\\d' }", "t-1"),
    Case("{ regex: '\"t\": \"(.)\"', all: true }", ["a", "b"]),
    Case("{ regex: 'nope' }", nil, "the body does not match `nope`"), Case("{ regex: 'nope', default: x }", "x"),
    Case("{ header: location }", "/books/7?x=1"), Case("{ header: Via }", ["a", "b"]), Case("{ header: Via, first: true }", "a"),
    Case("{ header: Location, all: true }", ["/books/7?x=1"]), Case("{ regex: '\"t\": \"(.)\"' }", "a"),
    Case("{ header: Via, all: true }", ["a", "b"]),
    Case("{ header: X-No }", nil, "the response has no header `X-No`"), Case("{ header: X-No, optional: true }", nil),
    Case("{ cookie: sid }", "abc"), Case("{ cookie: other }", nil, "the response set no cookie `other`"),
    Case("{ url: true }", "http://h/books/42?code=xyz"), Case("{ url: 'code=(\\w+)' }", "xyz"),
    Case("{ url: 'nope' }", nil, "the URL does not match `nope`"),
    Case("\"${response.json.id + 1}\"", 8),
    Case("{ header: Location, matches: '/books/(\\d+)' }", "7"), Case("{ header: Location, matches: '(\\w+)/(?<id>\\d+)' }", "7"),
    Case("{ json: $.id, matches: '\\d' }", "7"), Case("{ header: Via, all: true, matches: '[ab]' }", ["a", "b"]),
    Case("{ header: Via, all: true, matches: 'a' }", nil, "\"b\" does not match `a`"),
    Case("{ header: Location, matches: 'x(y)' }", nil, "\"/books/7?x=1\" does not match `x(y)`"),
    Case("{ header: Location, matches: 'x(y)', default: z }", "z"), Case("{ header: Location, matches: 'x(y)', optional: true }", nil),
    Case("{ json: \"$.books[0]\", matches: 'x' }", nil, "the value found is an object with 1 member, but `matches` needs text"),
    Case("{ json: $.token, then: upper }", "T-1"), Case("{ json: $.id, then: '| string' }", "7"),
    Case("{ header: Location, matches: '\\d', then: number }", 7), Case("{ json: $.token, then: \"split('-') | last | number\" }", 1),
    Case("{ json: $.id, then: \"default(vars.ten) | string\" }", "7"), Case("{ json: $.missing, then: upper, default: x }", "x"),
    Case("{ json: $.id, then: upper }", nil, "`upper` takes text, found the number 7"),
    Case("{ json: $.id, then: upper, default: x }", nil, "`upper` takes text, found the number 7"),
    Case("{ json: $.token, then: match('x') }", nil, "the text `t-1` does not match 'x'"),
    Case("{ json: $.token, then: match('x'), default: y }", "y"),
    Case("{ regex: '\"(?:x)?(.)\": (?<number>\\d)', all: true }", nil, "the body does not match `\"(?:x)?(.)\": (?<number>\\d)`"),
    Case("{ regex: '\"(id)\": (?<number>\\d)' }", "7"),
    Case("{ cookie: sid, attribute: path }", "/"), Case("{ cookie: sid, attribute: secure }", false),
    Case("{ cookie: sid, attribute: expires }", nil, "the cookie `sid` of the response has no `expires`"),
    Case("{ cookie: sod, attribute: path }", nil, "the response set no cookie `sod`"), Case("{ first_bytes: 2 }", "7b22"),
    Case("{ plist: $.id }", nil, "the body is not a property list: "),
  ]) func `each way to extract a value from a response, such as 'json' or 'regex', gives the right value or error message`(_ test: Case)
    throws
  {
    let judgement = try CheckRun.judge("extract:\n  x: \(test.source)", ExtractionTests.response)
    // The exact words of a parser are not tested.
    let messages = judgement.failures.map {
      $0.message.hasPrefix("the body is not a property list: ") ? "the body is not a property list: " : $0.message
    }
    #expect(messages == (test.message.map { [$0] } ?? []))
    #expect(judgement.extracted == [test.value.map { .plain($0) }])
  }

  @Test func `the value of an extract that is marked as secret is secret, even if it is the default`() throws {
    let judgement = try CheckRun.judge(
      "extract:\n  x: { json: $.token, secret: true }\n  y: { json: $.no, secret: true, default: z }", ExtractionTests.response)
    #expect(judgement.extracted == [.secret("t-1"), .secret("z")])
  }

  @Test func `if an extract is marked as secret, the result of its filter is secret`() throws {
    let judgement = try CheckRun.judge("extract:\n  x: { json: $.token, then: upper, secret: true }", ExtractionTests.response)
    #expect(judgement.extracted == [.secret("T-1")])
  }

  @Test func `values are extracted even if an expectation fails`() throws {
    let judgement = try CheckRun.judge("expect: { status: 201 }\nextract: { id: $.id }", ExtractionTests.response)
    #expect(judgement.failures.map(\.subject) == ["status"])
    #expect(judgement.extracted == [.plain(7)])
  }

  @Test(arguments: [#"{"a": 1} x"#, #"{"a": 1"#, "<p>", "", "\u{FEFF}{\"a\": 1"])
  func
    `a JSON extract fails if the body is not JSON, even if the extract has a default`(_ body: String) throws
  {
    let sources = ["$.a", "$.b", "$..b", "$.b[*]"].map { "{ json: \"\($0)\", default: 1 }" } + ["{ pointer: /b, default: 1 }"]
    for source in sources + sources.map({ $0.replacing("default: 1", with: "optional: true") }) {
      let judgement = try CheckRun.judge("extract:\n  x: \(source)", FakeResponse(body, type: "application/json"))
      #expect(judgement.failures.map(\.subject) == ["extract.x"], "\(source)")
      #expect(judgement.failures.first?.message.hasPrefix("the body is ") == true, "\(source)")
      #expect(judgement.extracted == [nil], "\(source)")
    }
  }

  private static let largeList = FakeResponse("[" + String(repeating: "1,", count: 1_000_000) + "1]", type: "application/json")

  @Test(arguments: [
    "'$[*]'", "{ json: $ }", "{ pointer: '' }", "{ regex: '1', all: true }", "\"${response.json}\"", "{ json: '$[*]', default: 1 }",
    "{ regex: '1', all: true, then: length }",
  ]) func `an extract of more than 1,000,000 values is refused`(_ source: String) throws {
    let judgement = try CheckRun.judge("extract:\n  x: \(source)", Self.largeList)
    #expect(judgement.failures.map(\.message) == ["the value contains more than 1000000 values and member names"])
    #expect(judgement.extracted == [nil])
  }

  @Test func `an extract that selects more than 1,000,000 values is accepted if its filters reduce them to one value`() throws {
    let judgement = try CheckRun.judge("extract:\n  x: { json: '$[*]', then: length }", Self.largeList)
    #expect(judgement.failures.isEmpty)
    #expect(judgement.extracted == [.plain(1_000_001)])
  }

  @Test func `an XPath extract fails if the body is neither HTML nor XML, even if the extract has a default`() throws {
    let judgement = try CheckRun.judge(
      "extract:\n  x: { xpath: //a, default: 1 }\n  y: { xpath: //a, optional: true }", FakeResponse(#"{"a": 1}"#, type: "text/plain"))
    #expect(judgement.failures.map(\.subject) == ["extract.x", "extract.y"])
    #expect(judgement.extracted == [nil, nil])
  }

  @Test func `an expression that reads JSON fails if the body is not JSON, even if the operator ?? gives a default`() throws {
    let judgement = try CheckRun.judge(
      "extract:\n  x: \"${response.json.a ?? 1}\"\n  y: { regex: 'z', default: 2 }", FakeResponse(#"{"b": 1} x"#))
    #expect(judgement.failures.map(\.subject) == ["extract.x"])
    #expect(judgement.extracted == [nil, .plain(2)])
  }
}

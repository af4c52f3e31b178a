import GarlandWorkflow
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of `expect.xpath` and `extract: {xpath: …}`.
struct XPathCheckTests {
  static let page = """
    <!doctype html><html><head><title>Books — Dépôt</title></head><body>
    <h1 class="big">Books</h1><ul id=books><li data-id=1>Dune <b>new</b><li data-id=2>Emma</ul>
    <p>  Three
      words   here </p><span class=price>9.50</span><p></p></body></html>
    """
  static let feed = """
    <?xml version="1.0" encoding="UTF-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom" xmlns:x="urn:x"><title>News</title><entry><title>One</title><x:n>3</x:n></entry></feed>
    """
  static let plain = "<order><id>7</id><item sku='a'>2</item><item sku='b'>5</item><note/></order>"

  static let html = FakeResponse(page, type: "text/html")
  static let atom = FakeResponse(feed, type: "application/atom+xml; charset=utf-8")
  static let xml = FakeResponse(plain, type: "application/xml")

  @Test(
    arguments: [
      // A single node has its text as its value, several nodes have the list of their texts, and no node has no value.
      ("//h1: Books", nil), ("//title: Books — Dépôt", nil), ("//h1/@class: big", nil),
      ("'//h1': { eq: Books, matches: '^B', length: 1 }", nil),
      ("//li: { length: 2 }", nil), ("//li/@data-id: ['1', '2']", nil),
      ("//li/@data-id: { each: { matches: '^\\d$' }, any: 2, none: 3 }", nil),
      ("//h1: { each: Books }", nil), ("//nothing: { exists: false }", nil), ("//nothing: { length: 0, empty: true }", nil),
      ("//nothing: { ne: x }", "selects nothing"),
      ("//h1: { exists: true, type: string, contains: ook, starts_with: B, ends_with: s, in: [Books, Films] }", nil),
      ("//span: 9.50", nil), ("//span: { gt: 9, lte: 9.5 }", nil), ("//h1: { not: { contains: Film } }", nil),
      ("//li/@data-id: { subset: ['2'] }", nil), ("//h1: { schema: { type: array, minItems: 1 } }", nil),
      // Other results
      ("count(//li): 2", nil), ("count(//li): { gt: 1 }", nil), ("string(//h1): Books", nil),
      ("normalize-space((//p)[1]): Three words here", nil),
      ("boolean(//h1): true", nil), ("boolean(//h7): false", nil), ("concat(//h1, '!'): Books!", nil), ("string(//nothing): ''", nil),
      // Similar expectations that fail
      ("//h1: Films", "is \"Books\", expected \"Films\""), ("//h7: Films", "selects nothing"),
      ("//h7: { exists: true }", "selects nothing"),
      ("//h7: { each: a }", "selects nothing"), ("//h1: { exists: false }", "exists, expected it to be missing"),
      ("//li: Dune", "selects 2 nodes, but `eq` checks only one"),
      ("//li: { contains: Dune }", "selects 2 nodes, but `contains` checks only one"),
      ("//li: { length: 3 }", "has 2 items, expected 3"), ("//li/@data-id: ['1']", "differs from the expected value in `[1]`"),
      ("//li/@data-id: { each: { ne: 2 } }", "item 1 is 2, expected any other value"),
      ("//li: { any: Ulysses }", "has 2 items, but none of them meets the predicates of `any`"),
      ("//li/@data-id: { none: 2 }", "item 1 is \"2\"; no item may meet the predicates of `none`, but this one does"),
      ("count(//li): 3", "is 2, expected 3"),
      ("count(//li): { lt: 2 }", "is 2, expected less than 2"), ("boolean(//h7): true", "is false, expected true"),
      ("//h1: { not: { contains: ook } }", "is [\"Books\"], which satisfies `contains`, so `not` fails"),
      ("//span: { gt: 10 }", "is 9.50, expected more than 10"),
      ("//h1: { gt: 10 }", "is the text \"Books\", not a number, so `gt` does not apply"),
      ("//h1: { matches: ^X }", "is \"Books\", which does not match `^X`"), ("number(//h1): 3", "is not a number"),
    ] as [(String, String?)]) func `each sample XPath expectation on an HTML body passes, or fails with the right message`(
      line: String, message: String?
    )
    throws
  {
    let judgement = try CheckRun.judge("expect:\n  xpath:\n    \(line)", Self.html)
    #expect(judgement.failures.map(\.message) == (message.map { [$0] } ?? []))
    #expect(judgement.failures.allSatisfy { $0.subject.hasPrefix("xpath ") })
  }

  @Test(
    arguments: [
      ("/order/id: 7", nil), ("//item[@sku='b']: 5", nil), ("sum(//item): 7", nil), ("//note: { empty: false }", nil), ("//note: ''", nil),
      ("//item[@sku='c']: 5", "selects nothing"), ("sum(//item): 8", "is 7, expected 8"), ("name(/*): order", nil),
    ] as [(String, String?)]) func `each expectation on an XML body passes or gives the expected message`(line: String, message: String?)
    throws
  {
    let lines = "expect:\n  xpath:\n    \(line.hasPrefix("//item[") ? "\"\(line.replacing("]:", with: "]\":"))" : line)"
    #expect(try CheckRun.judge(lines, Self.xml).failures.map(\.message) == (message.map { [$0] } ?? []))
  }

  @Test func `an XPath can use the prefixes that the XML declares`() throws {
    #expect(try CheckRun.messages("expect: { xpath: { //_:entry/_:title: One, //x:n: 3, \"//*[local-name()='n']\": 3 } }", Self.atom) == [])
    let missing = try CheckRun.judge("expect: { xpath: { //title: News } }", Self.atom)
    #expect(missing.failures.map(\.message) == ["selects nothing"])
    #expect(missing.failures[0].help?.contains("`http://www.w3.org/2005/Atom`: write `_:`") == true)
    let prefix = try CheckRun.messages("expect: { xpath: { //y:n: 3 } }", Self.atom)
    #expect(prefix.count == 1 && prefix[0].contains("the response declares only `_` and `x`"))
  }

  @Test func `if a body is not markup, an XPath fails with a message that names the body's type`() throws {
    #expect(
      try CheckRun.messages("expect: { xpath: { //a: 1 } }", FakeResponse("{\"a\": 1}"))
        == ["xpath //a: the body is neither XML nor HTML, its type is `application/json`"])
    #expect(try CheckRun.messages("expect: { xpath: { //a: 1 } }", FakeResponse("", type: "text/html")) == ["xpath //a: the body is empty"])
    let broken = try CheckRun.messages("expect: { xpath: { //a: 1 } }", FakeResponse("<a><b></a>", type: "text/xml"))
    #expect(broken.count == 1 && broken[0].hasPrefix("xpath //a: the body is not XML: line 1: "))
    // Without a media type, the content determines the format.
    #expect(try CheckRun.messages("expect: { xpath: { //a: 1 } }", FakeResponse("<a>1</a>", type: nil)) == [])
    #expect(try CheckRun.messages("expect: { xpath: { //P: x } }", FakeResponse("<!DOCTYPE HTML><p>x", type: "text/plain")).count == 1)
  }

  @Test(
    arguments: [
      ("{ xpath: //h1 }", "\"Books\""), ("{ xpath: //li/@data-id, first: true }", "\"1\""),
      ("{ xpath: //li/@data-id, all: true }", "[\"1\",\"2\"]"),
      ("{ xpath: count(//li) }", "2"), ("{ xpath: //h7, default: none }", "\"none\""), ("{ xpath: //h7, optional: true }", nil),
      ("{ xpath: boolean(//h1) }", "true"), ("{ xpath: string(//h7) }", "\"\""),
    ] as [(String, String?)]) func `an extract gives the value of its XPath, or its default if the XPath selects nothing`(
      source: String, value: String?
    ) throws
  {
    let judgement = try CheckRun.judge("extract:\n  it: \(source)", Self.html)
    #expect(judgement.failures.isEmpty)
    #expect(judgement.extracted.map { $0?.json.jsonText() } == [value])
  }

  @Test(arguments: ["", ", default: x", ", optional: true"])
  func `an XPath extract that finds several nodes fails unless it sets 'first' or 'all'`(_ more: String)
    throws
  {
    let judgement = try CheckRun.judge("extract:\n  it: { xpath: //li/@data-id\(more) }", Self.html)
    #expect(judgement.failures.map(\.message) == ["`//li/@data-id` selects 2 nodes, expected only one"])
    #expect(judgement.failures.first?.help == "to take the first node, write `first: true`; to take all nodes, write `all: true`")
    #expect(judgement.extracted == [nil])
  }

  @Test(.timeLimit(.minutes(15))) func `a run can check and extract parts of HTML and XML responses with XPath`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            page:
              get: /html
              expect: { xpath: { //h1: { exists: true } } }
              extract: { heading: { xpath: //h1 } }
            feed:
              get: /xml
              expect: { xpath: { count(/*): 1 } }
            wrong:
              get: /html?after=${page.heading}
              expect: { xpath: { //h1: Nothing } }
          """, sandbox)
      #expect(run.outcomes == ["page passed", "feed passed", "wrong failed"])
    }
  }

  /// The messages in the form that users see.
  @Test func `the messages for frequent mistakes in XPath expectations match the golden file`() throws {
    let cases: [(String, FakeResponse)] = [
      ("expect: { xpath: { //h1: Films } }", Self.html), ("expect: { xpath: { //h7: Films } }", Self.html),
      ("expect: { xpath: { //LI: Dune } }", Self.html), ("expect: { xpath: { //li: Dune } }", Self.html),
      ("expect: { xpath: { //title: News } }", Self.atom), ("expect: { xpath: { //a: 1 } }", FakeResponse("{\"a\": 1}")),
      ("extract: { token: { xpath: //input/@value } }", Self.html), ("extract: { title: { xpath: //title } }", Self.atom),
      ("extract: { n: { xpath: number(//h1) } }", Self.html),
    ]
    var text = ""
    for (lines, response) in cases {
      text += "--- \(lines)\n" + CheckRun.text(try CheckRun.judge(lines, response))
    }
    expectGolden(text, "xpath-failures.txt")
  }

  @Test func `an XPath that compares thousands of nodes with each other is evaluated without an error`() throws {
    let large = (0..<16_000).map { "<i n='\($0)'>\($0)</i>" }.joined()
    let body = try MarkupBody.parse(Array("<a>\(large)</a>".utf8), contentType: "text/xml").get()
    for path in ["//i = //i/@n", "boolean(/a/i < /a/i)", "count(//i) = count(//i/@n)"] {
      guard case .value(.bool(true)?) = try body.select(XPath(path)) else {
        Issue.record("\(path)")
        continue
      }
    }
  }
}

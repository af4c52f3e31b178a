import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of expectations about each part of a response.
struct ExpectationTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let expect: String
    let response: FakeResponse
    let messages: [String]
    init(_ expect: String, _ response: FakeResponse, _ messages: String...) {
      self.expect = expect
      self.response = response
      self.messages = messages
    }
    var testDescription: String { "\(expect) of \(response.status) \(response.body.prefix(20))" }
  }

  static let html = FakeResponse("<h1>Oops</h1>", status: 500, type: "text/html; charset=utf-8")
  static let cookies = FakeResponse(
    "hello", type: "text/plain",
    fields: [("X-Count", "3"), ("Set-Cookie", "sid=abc; Path=/"), ("Via", "a"), ("Via", "b"), ("ETag", "\"x\"")],
    url: "https://h/last", time: 0.25, version: "2", redirects: 2)

  @Test(arguments: [
    // Default expectation: 2xx
    Case("", FakeResponse(status: 204)), Case("", FakeResponse(status: 404), "status: is 404, expected 2xx"),
    Case("time: { lt: 1s }", FakeResponse(status: 302), "status: is 302, expected 2xx"),
    // status
    Case("status: 404", FakeResponse(status: 404)), Case("status: 2xx", FakeResponse(status: 299)),
    Case("status: 200..204", FakeResponse(status: 204)), Case("status: [200, 404]", FakeResponse(status: 404)),
    Case("status: 201", FakeResponse(status: 200), "status: is 200, expected 201"),
    Case("status: [3xx, 404, 500..503]", FakeResponse(status: 200), "status: is 200, expected 3xx, 404 or 500..503"),
    Case("status: { gte: 400 }", FakeResponse(status: 404)),
    Case("status: { lt: 400 }", FakeResponse(status: 404), "status: is 404, expected less than 400"),
    Case("status: { not: { eq: 404 } }", FakeResponse(status: 404), "status: is 404, which satisfies `eq`, so `not` fails"),
    // type
    Case("type: application/json", FakeResponse("{}")), Case("type: application/*", FakeResponse("{}")),
    Case("type: [text/html, application/json]", FakeResponse("{}", type: "Application/JSON; charset=utf-8")),
    Case("type: text/html; charset=utf-8", FakeResponse("x", type: "text/html;charset=\"UTF-8\"")),
    Case("type: text/html", FakeResponse("{}"), "type: is `application/json`, expected text/html"),
    Case("type: text/html; charset=utf-8", FakeResponse("x", type: "text/html"), "type: is `text/html`, expected text/html; charset=utf-8"),
    Case("type: text/html", FakeResponse("{}", type: nil), "type: is missing, expected text/html"),
    Case("type: { contains: json }", FakeResponse("{}")),
    Case("type: { contains: xml }", FakeResponse("{}"), "type: does not contain \"xml\""),
    // headers
    Case("headers: { etag: '\"x\"', X-Count: 3, Via: [a, b] }", cookies), Case("headers: { Via: { contains: b } }", cookies),
    Case("headers: { X-Count: { matches: '\\d' }, X-Other: { exists: false } }", cookies),
    Case("headers: { X-Count: 4 }", cookies, "headers.X-Count: is \"3\", expected 4"),
    Case("headers: { X-Cuont: 3 }", cookies, "headers.X-Cuont: is missing"),
    // cookies
    Case("cookies: { sid: abc }", cookies), Case("cookies: { sid: abd }", cookies, "cookies.sid: is \"abc\", expected \"abd\""),
    Case("cookies: { session: { exists: true } }", cookies, "cookies.session: was not set"),
    // body
    Case("body: hello", cookies), Case("body: { starts_with: he, length: 5 }", cookies),
    Case("body: bye", cookies, "body: is \"hello\", expected \"bye\""),
    // The other expectations
    Case("size: 5", cookies), Case("size: { lt: 1KB }", cookies),
    Case("size: { gt: 1KB }", cookies, "size: is 5 bytes, expected more than 1KB (1000 bytes)"),
    Case("time: { lt: 300ms }", cookies), Case("time: { gte: 250ms }", cookies),
    Case("time: { lt: 250ms }", cookies, "time: is 250 ms, expected less than 250ms"),
    Case("redirects: 2", cookies), Case("redirects: { lt: 2 }", cookies, "redirects: is 2, expected less than 2"),
    Case("url: https://h/last", cookies),
    Case("url: { ends_with: first }", cookies, "url: is \"https://h/last\", which does not end with \"first\""),
    Case("version: 2", cookies), Case("version: \"1.1\"", cookies, "version: is \"2\", expected \"1.1\""),
    Case("sha256: 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", cookies), Case("sha256: { file: body.txt }", cookies),
    Case(
      "sha256: { file: body.txt }", FakeResponse("bye", type: "text/plain"),
      "sha256: is b49f425a7e1f…, expected 2cf24dba5fb0…, the digest of `body.txt`"),
    Case(
      "sha256: 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9825", cookies,
      "sha256: is 2cf24dba5fb0…, expected 2cf24dba5fb0…"),
    Case("schema: { type: object }", FakeResponse("{}")), Case("schema: { file: id.json }", FakeResponse("{\"id\": 1}")),
    Case("that: [\"${response.status == 200}\", \"${response.text == 'hello'}\"]", cookies),
    Case("that: [\"${response.status == 201}\"]", cookies, "that: `response.status == 201` is false"),
    Case(#"that: ["${\"a\" == 'it\\'s }'}"]"#, cookies, #"that: `"a" == 'it\'s }'` is false"#),
    Case("that: ['${\"a\" == ''}''}']", cookies, "that: `\"a\" == '}'` is false"),
    // A body that is not JSON
    Case(
      "{ status: 500, json: { $.a: 1 } }", html,
      "json $.a: the body is not JSON: expected a value, found '<' at line 1, column 1"),
  ]) func `each kind of expectation gives the right failure message, or no message if the response meets the expectation`(_ test: Case)
    throws
  {
    let lines = test.expect.isEmpty ? "" : test.expect.hasPrefix("{") ? "expect: \(test.expect)" : "expect:\n  \(test.expect)"
    #expect(try CheckRun.messages(lines, test.response) == test.messages)
  }

  @Test(arguments: [
    ("application/json", 200, "GET", ["application/json"], true), ("text/html", 200, "GET", ["application/json"], false),
    ("text/html", 200, "GET", [], true), ("text/html", 200, "HEAD", ["application/json"], true),
    ("text/html", 204, "GET", ["application/json"], true),
    ("text/html", 200, "GET", ["application/json;q=0.9, text/*;q=0.1"], true),
    ("text/html", 200, "GET", ["application/json, text/html;q=0"], false),
    ("text/html", 200, "GET", ["*/*"], true), ("application/vnd.api+json", 200, "GET", ["application/json"], false),
  ]) func `the content type of a response must match the step's own Accept header`(
    type: String, status: Int, method: String, accepts: [String], holds: Bool
  ) throws {
    let response = FakeResponse("x", status: status, type: type, method: method, accepts: accepts)
    #expect(try CheckRun.messages("", response).isEmpty == holds)
    #expect(try CheckRun.messages("expect: { type: \"\(type)\" }", response).isEmpty)
  }

  @Test(arguments: [
    (#"multipart/related; start-info="a; b=\"c\""; type=x"#, #"multipart/related; start-info="a; b=\"c\"""#, true),
    (#"multipart/related; type="text/xml; charset=utf-8""#, #"multipart/related; type="text/xml; charset=utf-8""#, true),
    (#"multipart/related; type="text/xml; charset=utf-8""#, #"multipart/related; type="text/xml; charset=latin1""#, false),
    (#"multipart/related; type="text/xml""#, "multipart/related; type=text/xml", true),
  ]) func `a quoted parameter of a content type may contain a semicolon`(type: String, expected: String, holds: Bool) throws {
    let messages = try CheckRun.messages("expect: { type: '\(expected)' }", FakeResponse("x", type: type))
    #expect(messages.isEmpty == holds, "\(messages)")
  }

  @Test func `the content type of an empty body or an error response is not checked`() throws {
    #expect(try CheckRun.messages("", FakeResponse("", type: "text/html", accepts: ["application/json"])).isEmpty)
    #expect(
      try CheckRun.messages("expect: { status: 404 }", FakeResponse("x", status: 404, type: "text/html", accepts: ["application/json"]))
        .isEmpty)
  }

  @Test func `all failed expectations are reported and counted`() throws {
    let judgement = try CheckRun.judge(
      "expect:\n  status: 201\n  headers: { X-A: 1 }\n  json: { $.id: 8, $.title: Dune, $.more: { exists: true } }\n  that: [\"${response.json.nope > 1}\"]\n"
        + "extract: { other: $.othr, id: $.id }", FakeResponse("{\"id\": 7, \"title\": \"Dune\"}"))
    #expect(
      judgement.failures.map(\.subject) == ["status", "headers.X-A", "json $.id", "json $.more", "nope", "extract.other"])
    #expect(judgement.failures.map(\.kind.rawValue) == ["expectation", "expectation", "expectation", "expectation", "value", "extraction"])
    #expect(judgement.checkCount == 6)
    #expect(judgement.extracted.map { $0?.json } == [nil, 7])
  }

  @Test func `if the JSON of a response body is malformed, the failure message contains the line and the column`() throws {
    for lines in [
      "expect: { json: { $.a: 1 } }", "expect: { json: { \"$..a\": { any: 1 } } }", "expect: { schema: {} }", "extract: { a: $.a }",
    ] {
      let messages = try CheckRun.messages(lines, FakeResponse("{\"a\": 1,}"))
      #expect(messages.count == 1)
      #expect(messages[0].contains(": the body is not JSON: ") && messages[0].contains(" at line 1, column "))
    }
  }

  @Test func `if each JSON path of a step can select only one value, the body is not parsed into a tree`() throws {
    let response = FakeResponse("{\"id\": 7, \"list\": [1, 2, {\"deep\": true}]}")
    let lines = "expect: { status: 200, json: { $.id: 7, \"$.list[2].deep\": true } }\nextract: { second: \"$.list[1]\" }"
    let judgement = try CheckRun.judge(lines, response)
    #expect(judgement.failures.isEmpty && judgement.extracted.map { $0?.json } == [2])
    #expect(response.parseCount == 0)
  }

  /// The messages of the most frequent mistakes.
  @Test func `the messages for frequent mistakes in expectations match the golden file`() throws {
    let book = #"{"book": {"title": "Dune", "price": "9.50", "tags": ["novel"], "author": {"name": "Frank Herbert"}}, "total": 3}"#
    let page = #"{"items": [{"id": 1, "price": 5}, {"id": 2, "price": -1}], "next": null}"#
    let cases: [(String, FakeResponse)] = [
      ("", FakeResponse(#"{"error": "no such book", "id": 17}"#, status: 404)),
      ("expect: { json: { $.titel: Dune } }", FakeResponse(#"{"title": "Dune", "price": 1}"#)),
      ("expect: { json: { $.book.auhtor.name: Frank } }", FakeResponse(book)),
      ("expect: { json: { $.book.author.born: 1920 } }", FakeResponse(book)),
      ("expect: { json: { $.book.price: 9.50 } }", FakeResponse(book)),
      ("expect: { json: { $.book.price: { gt: 9 } } }", FakeResponse(book)),
      (
        "expect: { json: { $.book: { eq: { title: Dune, price: \"9.5\", tags: [], author: { name: Frank Herbert } } } } }",
        FakeResponse(book)
      ),
      ("expect: { json: { $.book: { eq: { title: Dune } } } }", FakeResponse(#"{"book": {"title": "Dune", "id": 1}}"#)),
      ("expect: { json: { \"$.items[*].price\": { each: { gt: 0 } } } }", FakeResponse(page)),
      ("expect: { json: { \"$.itms[*].price\": { each: { gt: 0 } } } }", FakeResponse(page)),
      ("expect: { json: { \"$.items[5].price\": 1 } }", FakeResponse(page)),
      ("expect: { json: { $.items.price: 1 } }", FakeResponse(page)),
      ("expect: { json: { $.a: 1 } }", FakeResponse("<html>\n<body>Bad gateway</body>\n</html>", type: "text/html")),
      ("expect: { json: { $.a: 1 } }", FakeResponse("", type: nil)),
      ("expect: { body: \"one\\ntwo\\nthree\" }", FakeResponse("one\n2\nthree\nfour", type: "text/plain")),
      ("expect: { body: { contains: HELLO } }", FakeResponse("well, hello there", type: "text/plain")),
      ("expect: { headers: { Content-Typ: { exists: true } } }", FakeResponse("{}")),
      ("expect: { json: { $.total: \"${vars.nope}\" } }".replacing("vars.nope", with: "response.json.nope"), FakeResponse(book)),
      ("expect: { json: { $.total: \"${secrets.TOKEN}\" } }", FakeResponse(book)),
      ("extract: { token: $.acess_token }", FakeResponse(#"{"access_token": "t", "expires_in": 3600}"#)),
      ("extract: { id: { regex: 'id=(\\d+)' } }", FakeResponse("no number here", type: "text/plain")),
      ("extract: { next: { header: Locaton } }", FakeResponse(status: 201, fields: [("Location", "/books/1")])),
      ("", FakeResponse("<h1>Hi</h1>", type: "text/html", accepts: ["application/json"])),
    ]
    var text = ""
    for (lines, response) in cases {
      text += "--- \(lines.isEmpty ? "(no expectation)" : lines)\n" + CheckRun.text(try CheckRun.judge(lines, response))
    }
    expectGolden(text, "check-failures.txt")
  }
}

extension String {
  fileprivate func replacing(_ part: String, with other: String) -> String {
    guard let range = firstRange(of: part) else { return self }
    return replacingCharacters(range, other)
  }

  private func firstRange(of part: String) -> Range<Index>? {
    var index = startIndex
    while index < endIndex {
      if self[index...].hasPrefix(part) { return index..<self.index(index, offsetBy: part.count) }
      index = self.index(after: index)
    }
    return nil
  }

  private func replacingCharacters(_ range: Range<Index>, _ other: String) -> String {
    self[..<range.lowerBound] + other + self[range.upperBound...]
  }
}

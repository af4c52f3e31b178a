import Testing

@testable import GarlandRunner

/// Tests of each predicate with values for which it holds or fails, and with the messages.
struct PredicateTests {
  static let body = """
    {"id": 7, "price": 9.50, "big": 12345678901234567890.5, "title": "Dune", "empty": "", "none": null, "on": true, "text": "9.50",
     "tags": ["novel", "sf"], "nothing": [], "author": {"name": "Frank", "born": 1920}, "inner": "{\\"x\\": [1, 2]}", "when": "Thu, 01 Jan 1970 00:01:00 GMT", "books": [{"t": "a", "p": 5}, {"t": "b", "p": 15}]}
    """

  struct Case: CustomTestStringConvertible, Sendable {
    let path: String
    let predicate: String
    /// The message of the failure; nil if the predicate holds.
    let message: String?
    init(_ path: String, _ predicate: String, _ message: String? = nil) {
      self.path = path
      self.predicate = predicate
      self.message = message
    }
    var testDescription: String { "\(path): \(predicate)" }
  }

  @Test(arguments: [
    // eq, written out or not; numbers by value, all digits
    Case("$.id", "7"), Case("$.id", "7.0"), Case("$.id", "{ eq: 7 }"), Case("$.price", "9.5"), Case("$.big", "12345678901234567890.50"),
    Case("$.id", "8", "is 7, expected 8"),
    Case("$.big", "12345678901234567890.4", "is 12345678901234567890.5, expected 12345678901234567890.4"),
    Case("$.title", "Dune"), Case("$.title", "\"${vars.title}\""), Case("$.title", "Dun", "is \"Dune\", expected \"Dun\""),
    Case("$.id", "\"7\"", "is 7, expected \"7\""), Case("$.text", "9.50", "is \"9.50\", expected 9.50"),
    Case("$.none", "null"), Case("$.id", "null", "is 7, expected null"), Case("$.missing", "null", "is missing"),
    Case("$.missing", "7", "is missing"),
    Case("$.on", "true"), Case("$.on", "false", "is true, expected false"),
    Case("$.tags", "[novel, sf]"), Case("$.tags", "[sf, novel]", "differs from the expected value in 2 places"),
    Case("$.author", "{ eq: { born: 1920.0, name: Frank } }"),
    Case("$.author", "{ eq: { name: Frank } }", "differs from the expected value in `born`"),
    // json
    Case("$.inner", "{ json: { \"$.x[0]\": 1, \"$.x[*]\": { each: { lt: 3 } } } }"),
    Case("$.inner", "{ json: { \"$.x[0]\": 2 } }", "is JSON text in which `$.x[0]` is 1, expected 2"),
    Case(
      "$.inner", "{ json: { \"$.x[*]\": { each: { lt: 2 } } } }",
      "is JSON text in which item 1 of `$.x[*]` is 2, expected less than 2"
    ),
    Case("$.inner", "{ json: { $.y: 2 } }", "is JSON text in which `$.y` is missing"),
    Case("$.inner", "{ json: { $.y: { exists: false } } }"),
    Case("$.inner", "{ not: { json: { $.y: 2 } } }", "is JSON text in which `$.y` is missing"),
    Case("$.title", "{ json: { $: 2 } }", "is text that is not JSON: expected a value, found the word 'Dune' at line 1, column 1"),
    Case("$.author", "{ json: { $.name: Frank } }", "is an object with 2 members, but the predicate `json` needs text that contains JSON"),
    // date; it is 1970-01-01T00:00:00Z
    Case("$.when", "{ date: { within: 1m } }"), Case("$.when", "{ date: { after: 59, before: \"1970-01-01T01:01:01+01:00\" } }"),
    Case("$.when", "{ date: { within: 59s } }", "is 1970-01-01T00:01:00Z, 60.0 s from now, expected a time within 59s of now"),
    Case("$.when", "{ date: { before: \"${vars.ten}\" } }", "is 1970-01-01T00:01:00Z, expected before 1970-01-01T00:00:10Z"),
    Case("$.when", "{ date: { at: 60 } }"),
    Case("$.id", "{ date: { at: 8 } }", "is 1970-01-01T00:00:07Z, expected exactly 1970-01-01T00:00:08Z"),
    Case("$.title", "{ date: { within: 1m } }", "is \"Dune\", which is not a time"),
    Case(
      "$.when", "{ date: { format: '%d.%m.%Y' } }", "is \"Thu, 01 Jan 1970 00:01:00 GMT\", which is not a time in the format `%d.%m.%Y`"),
    Case(
      "$.when", "{ date: { before: \"${vars.title}\" } }", "can't be compared: the argument of `before` is the text \"Dune\", not a time"),
    Case("$.missing", "{ date: { within: 1m } }", "is missing"),
    // ne
    Case("$.id", "{ ne: 8 }"), Case("$.missing", "{ ne: 8 }", "is missing"),
    Case("$.id", "{ ne: 7.0 }", "is 7.0, expected any other value"),
    // gt gte lt lte
    Case("$.id", "{ gt: 6.9 }"), Case("$.id", "{ gt: 7 }", "is 7, expected more than 7"), Case("$.id", "{ gte: 7 }"),
    Case("$.id", "{ gte: 7.1 }", "is 7, expected at least 7.1"), Case("$.id", "{ lt: 8 }"),
    Case("$.id", "{ lt: 7 }", "is 7, expected less than 7"),
    Case("$.id", "{ lte: 7 }"), Case("$.id", "{ lte: 6 }", "is 7, expected at most 6"), Case("$.id", "{ lt: \"${env.LIMIT}\" }"),
    Case("$.big", "{ gt: 12345678901234567890.4 }"),
    Case("$.id", "{ lt: \"${vars.ten}\" }"), Case("$.id", "{ gt: \"${vars.ten}\" }", "is 7, expected more than 10"),
    Case("$.text", "{ gt: 1 }", "is the text \"9.50\", not a number, so `gt` does not apply"),
    Case("$.none", "{ lte: 1 }", "is null, not a number, so `lte` does not apply"),
    Case("$.id", "{ gt: \"${vars.title}\" }", "can't be compared: the argument of `gt` is the text \"Dune\", not a number"),
    Case("$.missing", "{ gt: 1 }", "is missing"),
    // in
    Case("$.id", "{ in: [6, 7.0] }"), Case("$.id", "{ in: [6, 8] }", "is 7, expected one of [6,8]"), Case("$.title", "{ in: [Dune] }"),
    Case("$.missing", "{ in: [1] }", "is missing"), Case("$.id", "{ in: \"${vars.list}\" }", "is 7, expected one of [1,2]"),
    Case("$.id", "{ in: \"${vars.title}\" }", "can't be compared: the argument of `in` is the text \"Dune\", expected a list"),
    // contains
    Case("$.title", "{ contains: un }"), Case("$.title", "{ contains: \"\" }"), Case("$.text", "{ contains: 9.5 }"),
    Case("$.title", "{ contains: x }", "does not contain \"x\""), Case("$.tags", "{ contains: sf }"),
    Case("$.tags", "{ contains: s }", "does not contain \"s\" (the list has 2 items)"), Case("$.author", "{ contains: name }"),
    Case("$.author", "{ contains: nme }", "has no member \"nme\""),
    Case("$.id", "{ contains: 7 }", "is the number 7, so `contains` does not apply: it needs text, a list or an object"),
    // starts_with, ends_with
    Case("$.title", "{ starts_with: Du }"), Case("$.title", "{ starts_with: un }", "is \"Dune\", which does not start with \"un\""),
    Case("$.title", "{ ends_with: ne }"), Case("$.title", "{ ends_with: un }", "is \"Dune\", which does not end with \"un\""),
    Case("$.id", "{ starts_with: \"7\" }", "is the number 7, not text, so `starts_with` does not apply"),
    // matches
    Case("$.title", "{ matches: \"^D.n\" }"), Case("$.title", "{ matches: \"^x\" }", "is \"Dune\", which does not match `^x`"),
    Case("$.id", "{ matches: \"7\" }", "is the number 7, not text, so `matches` does not apply"),
    Case("$.title", "{ matches: \"${vars.title}\" }"),
    // type
    Case("$.id", "{ type: integer }"), Case("$.price", "{ type: integer }", "is the number 9.50, expected the type integer"),
    Case("$.price", "{ type: number }"), Case("$.title", "{ type: string }"), Case("$.none", "{ type: [string, \"null\"] }"),
    Case("$.tags", "{ type: array }"), Case("$.author", "{ type: object }"), Case("$.on", "{ type: boolean }"),
    Case("$.on", "{ type: [string, number] }", "is true, expected the type string or number"),
    // length
    Case("$.title", "{ length: 4 }"), Case("$.tags", "{ length: { gte: 2, lt: 3 } }"), Case("$.author", "{ length: 2 }"),
    Case("$.nothing", "{ length: 0 }"), Case("$.tags", "{ length: 3 }", "has 2 items, expected 3"),
    Case("$.title", "{ length: { lt: 4 } }", "has 4 characters, expected less than 4"),
    Case("$.id", "{ length: 1 }", "is the number 7, so `length` does not apply: it needs text, a list or an object"),
    // empty
    Case("$.empty", "{ empty: true }"), Case("$.nothing", "{ empty: true }"), Case("$.tags", "{ empty: false }"),
    Case("$.tags", "{ empty: true }", "is a list of 2 items, expected it to be empty"),
    Case("$.nothing", "{ empty: false }", "is an empty list, expected it not to be empty"),
    Case("$.none", "{ empty: true }", "is null, so `empty` does not apply: it needs text, a list or an object"),
    // exists
    Case("$.none", "{ exists: true }"), Case("$.missing", "{ exists: false }"), Case("$.missing", "{ exists: true }", "is missing"),
    Case("$.none", "{ exists: false }", "exists, expected it to be missing"), Case("$.books[*].t", "{ exists: true }"),
    Case("$.books[*].q", "{ exists: false }"), Case("$.books[*].t", "{ exists: false }", "exists, expected it to be missing"),
    Case("$.books[*].q", "{ exists: true }", "selects nothing"),
    // each
    Case("$.books[*].p", "{ each: { gt: 4 } }"), Case("$.books[*].p", "{ each: { gt: 5 } }", "$.books[0].p is 5, expected more than 5"),
    Case("$.tags", "{ each: { type: string } }"), Case("$.tags", "{ each: { length: 5 } }", "item 1 has 2 characters, expected 5"),
    Case("$.nothing", "{ each: { gt: 4 } }", "is an empty list, but `each` needs at least one item"),
    Case("$.books[*].q", "{ each: { gt: 4 } }", "selects nothing, but `each` needs at least one value"),
    Case("$.id", "{ each: { gt: 4 } }", "is the number 7, not a list, so `each` does not apply"),
    // any
    Case("$.books[*].p", "{ any: { gt: 14 } }"), Case("$.books[*].p", "{ any: 15 }"),
    Case("$.books[*].p", "{ any: { gt: 15 } }", "has 2 items, but none of them meets the predicates of `any`"),
    Case("$.nothing", "{ any: 1 }", "is an empty list, but `any` needs at least one item"),
    // none
    Case("$.books[*].p", "{ none: { gt: 15 } }"),
    Case("$.books[*].p", "{ none: { gt: 14 } }", "$.books[1].p is 15; no item may meet the predicates of `none`, but this one does"),
    Case("$.nothing", "{ none: 1 }", "is an empty list, but `none` needs at least one item"),
    Case("$.tags", "{ none: { gt: 1 } }", "item 0 is the text \"novel\", not a number, so `gt` does not apply"),
    // subset
    Case("$.author", "{ subset: { name: Frank } }"), Case("$.books", "{ subset: [{ p: 15 }] }"), Case("$.tags", "{ subset: [sf] }"),
    Case("$.author", "{ subset: { name: Brian } }", "differs from the expected value in `name`"),
    Case("$.books", "{ subset: [{ p: 15 }, { t: b }] }", "differs from the expected value in `[1]`"),
    Case("$.id", "{ subset: { a: 1 } }", "is the number 7, expected an object that contains the argument of `subset`"),
    // schema
    Case("$.author", "{ schema: { type: object, required: [name] } }"), Case("$", "{ schema: { file: id.json } }"),
    // not
    Case("$.id", "{ not: { eq: 8 } }"), Case("$.id", "{ not: { in: [7] } }", "is 7, which satisfies `in`, so `not` fails"),
    Case("$.missing", "{ not: { exists: true } }"), Case("$.missing", "{ not: { eq: 1 } }", "is missing"),
    Case("$.missing", "{ not: { contains: a } }", "is missing"),
    Case("$.text", "{ not: { gt: 5 } }", "is the text \"9.50\", not a number, so `gt` does not apply"),
    Case("$.id", "{ not: { gt: 1, lt: 7 } }"),
    // several
    Case("$.id", "{ gt: 1, lt: 10 }"),
  ]) func `each predicate passes for values that match, and gives a failure message for other values`(_ test: Case) throws {
    let messages = try CheckRun.messages("expect:\n  json:\n    \"\(test.path)\": \(test.predicate)", FakeResponse(PredicateTests.body))
    #expect(messages == (test.message.map { ["json \(test.path): \($0)"] } ?? []))
  }

  @Test func `a failed JSON Schema check names the location of the invalid value`() throws {
    let judgement = try CheckRun.judge(
      "expect:\n  json:\n    $.author: { schema: { properties: { born: { type: string } }, required: [died] } }",
      FakeResponse(PredicateTests.body))
    #expect(judgement.failures.count == 2)
    #expect(judgement.failures.allSatisfy { $0.message.contains("does not match the schema") })
    #expect(judgement.failures.contains { $0.message.hasPrefix("does not match the schema: at /born, ") })
  }

  @Test func `with the predicate 'subset', each expected item must match a different item of the body's list`() throws {
    // The first item matches both expected items, and it is the only match for the second one.
    #expect(SubsetMatch.holds([["a": 1], ["b": 2]], in: [["a": 1, "b": 2], ["a": 1]]))
    #expect(!SubsetMatch.holds([["a": 1], ["a": 1]], in: [["a": 1]]))
    #expect(!SubsetMatch.holds([1, 2], in: [2, 3]))
    #expect(SubsetMatch.holds([1, 2], in: [2, 3, 1]))
  }

  @Test func `if many items of a list fail a predicate, all failures are counted and the first five are shown`() throws {
    let body = "{\"list\": [\((1...20).map(String.init).joined(separator: ","))]}"
    let messages = try CheckRun.messages("expect:\n  json:\n    $.list: { each: { lt: 10 } }", FakeResponse(body))
    #expect(messages.count == 5)
    #expect(messages[4] == "json $.list: item 13 is 14, expected less than 10 (11 of 20 items fail; the first five are shown)")
  }

  @Test func `the search for a text in a body finds the text at any position`() {
    #expect(ByteSearch.contains("lo", in: "hello") && ByteSearch.contains("hello", in: "hello") && ByteSearch.contains("", in: ""))
    #expect(
      !ByteSearch.contains("hello!", in: "hello") && !ByteSearch.contains("lx", in: "hello") && ByteSearch.contains("aab", in: "aaab"))
  }

  @Test(arguments: ["{ gt: 0, lt: 1 }", "7", "{ lte: 7 }"]) func `a number with thousands of digits is shortened in messages`(
    _ predicate: String
  ) throws {
    let body = FakeResponse(String(repeating: "3", count: 5_000))
    let messages = try CheckRun.messages("expect:\n  json:\n    $: \(predicate)", body)
    #expect(messages.count == 1)
    #expect(messages.allSatisfy { $0.utf8.count < 400 && $0.contains("333…") }, "\(messages)")
  }

  /// For long texts, the help does not say that only case or white space differs: on some megabytes, that comparison took seconds.
  @Test(arguments: [(4_000, "the texts differ only in upper and lower case"), (20_000, "the texts differ from character 5001 on")])
  func `the help says that two texts differ only in letter case, unless the texts are longer than 10,000 bytes`(
    _ rest: Int, _ help: String
  ) throws {
    let beginning = String(repeating: "b", count: 5_000)
    let judgement = try CheckRun.judge(
      "expect:\n  json:\n    $: \(beginning)A\(String(repeating: "c", count: rest - 1))",
      FakeResponse("\"\(beginning)a\(String(repeating: "c", count: rest - 1))\""))
    #expect(judgement.failures.map(\.help) == [help])
  }
}

import GarlandWorkflow
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of every predicate in every place. Each predicate either holds for a correct value and fails for a wrong value, or `check` rejects
/// it.
struct PredicatePlacesTests {
  /// The kind of the value in a place, which determines the possible predicates.
  enum Kind: Sendable {
    /// A value that is always text.
    case text
    /// A text that contains JSON.
    case jsonText
    case number
    /// The redirects, as their number or as a list.
    case chain
    /// A list that contains `Dune` and `Emma`.
    case list
    /// The JSON object `{"title": "Dune"}`.
    case object
    /// The only node of an XPath, which is a text, and a list for predicates about lists.
    case node
    /// Several nodes of a path, as a list. Predicates for a single value do not apply.
    case nodes
    /// The list that a JSONPath selects. All predicates for lists apply to it, except `in`.
    case selected
    case seconds
    case bytes
  }

  static let page = "<ul><li>Dune</li><li>Emma</li></ul><h1>Dune</h1>"
  static let json =
    #"{"text": "Dune", "number": 5, "list": ["Dune", "Emma"], "object": {"title": "Dune"}, "items": [{"t": "Dune"}, {"t": "Emma"}]}"#

  /// Every place that an expectation can check.
  static let places: [(name: String, line: @Sendable (String) -> String, kind: Kind, response: FakeResponse)] = [
    ("json text", { "json: { $.text: \($0) }" }, .jsonText, FakeResponse(json)),
    ("json number", { "json: { $.number: \($0) }" }, .number, FakeResponse(json)),
    ("json list", { "json: { $.list: \($0) }" }, .list, FakeResponse(json)),
    ("json object", { "json: { $.object: \($0) }" }, .object, FakeResponse(json)),
    ("json nodes", { "json: { '$.items[*].t': \($0) }" }, .selected, FakeResponse(json)),
    ("header", { "headers: { X-Title: \($0) }" }, .text, FakeResponse("{}", fields: [("X-Title", "Dune")])),
    ("repeated header", { "headers: { X-Title: \($0) }" }, .list, FakeResponse("{}", fields: [("X-Title", "Dune"), ("X-Title", "Emma")])),
    ("cookie", { "cookies: { title: \($0) }" }, .text, FakeResponse("{}", fields: [("Set-Cookie", "title=Dune; Path=/")])),
    ("body", { "body: \($0)" }, .text, FakeResponse("Dune", type: "text/plain")),
    ("url", { "url: \($0)" }, .text, FakeResponse(url: "Dune")),
    ("version", { "version: \($0)" }, .text, FakeResponse(version: "Dune")),
    ("type", { "type: \($0)" }, .text, FakeResponse("x", type: "Dune")),
    ("xpath node", { "xpath: { //h1: \($0) }" }, .node, FakeResponse(page, type: "text/html")),
    ("xpath nodes", { "xpath: { //li: \($0) }" }, .nodes, FakeResponse(page, type: "text/html")),
    ("xpath text", { "xpath: { string(//h1): \($0) }" }, .text, FakeResponse(page, type: "text/html")),
    ("xpath number", { "xpath: { 'count(//li) + 3': \($0) }" }, .number, FakeResponse(page, type: "text/html")),
    ("status", { "status: \($0)" }, .number, FakeResponse(status: 5)),
    ("redirects", { "redirects: \($0)" }, .chain, FakeResponse(redirects: 5)),
    ("time", { "time: \($0)" }, .seconds, FakeResponse(time: 5)),
    ("size", { "size: \($0)" }, .bytes, FakeResponse("12345", type: "text/plain")),
  ]

  /// Returns, for a predicate and a kind, an argument for which it holds and one for which it fails; nil if it does not apply.
  static func arguments(_ predicate: String, _ kind: Kind) -> (holds: String, fails: String)? {
    switch (predicate, kind) {
    case ("exists", _): ("true", "false")
    case ("length", .node): ("1", "4")
    case ("each", .node), ("any", .node): ("Dune", "Emma")
    case ("none", .node): ("Emma", "Dune")
    case ("subset", .node): ("[Dune]", "[Emma]")
    case ("schema", .node): ("{ type: array }", "{ maxItems: 0 }")
    case (let predicate, .node): arguments(predicate, .text)
    case ("in", .nodes), ("contains", .nodes), ("type", .nodes): nil
    case ("not", .nodes): ("{ any: Ulysses }", "{ any: Emma }")
    case (let predicate, .nodes): arguments(predicate, .list)
    case ("in", .selected): nil
    case (let predicate, .selected): arguments(predicate, .list)
    case ("not", .text), ("not", .jsonText): ("{ eq: Emma }", "{ eq: Dune }")
    case ("not", .chain): ("{ gt: 5 }", "{ gt: 4 }")
    case ("empty", .chain): ("true", "false")
    case ("length", .chain): ("0", "1")
    case ("subset", .chain): ("[]", "[{ status: 301 }]")
    case (let predicate, .chain): arguments(predicate, .number)
    case ("not", .number): ("{ gt: 5 }", "{ gt: 4 }")
    case ("not", .list): ("{ contains: Ulysses }", "{ contains: Emma }")
    case ("not", .object): ("{ contains: pages }", "{ contains: title }")
    case ("not", .seconds): ("{ gt: 5s }", "{ gt: 4s }")
    case ("not", .bytes): ("{ gt: 5B }", "{ gt: 4B }")
    case ("eq", .text), ("eq", .jsonText): ("Dune", "dune")
    case ("eq", .number): ("5.0", "6")
    case ("eq", .list): ("[Dune, Emma]", "[Emma, Dune]")
    case ("eq", .object): ("{ title: Dune }", "{ title: Dune, pages: 1 }")
    case ("eq", .seconds): ("5s", "6s")
    case ("eq", .bytes): ("5B", "6B")
    case ("ne", let kind): arguments("eq", kind).map { ($0.fails, $0.holds) }
    case ("in", .list): ("[[Dune, Emma], []]", "[[Dune]]")
    case ("in", .object): ("[{ title: Dune }]", "[{ title: Emma }]")
    case ("in", let kind): arguments("eq", kind).map { ("[\($0.fails), \($0.holds)]", "[\($0.fails)]") }
    case ("gt", .number), ("gt", .bytes): ("4", "5")
    case ("gte", .number), ("gte", .bytes): ("5", "5.1")
    case ("lt", .number), ("lt", .bytes): ("6", "5")
    case ("lte", .number), ("lte", .bytes): ("5", "4.9")
    case ("gt", .seconds): ("4999ms", "5s")
    case ("gte", .seconds): ("5s", "5001ms")
    case ("lt", .seconds): ("5001ms", "5s")
    case ("lte", .seconds): ("5s", "4999ms")
    case ("contains", .text), ("contains", .jsonText): ("un", "nu")
    case ("contains", .list): ("Emma", "Emm")
    case ("contains", .object): ("title", "Dune")
    case ("starts_with", .text), ("starts_with", .jsonText): ("Du", "du")
    case ("ends_with", .text), ("ends_with", .jsonText): ("ne", "n")
    case ("matches", .text), ("matches", .jsonText): ("'^D[a-z]+$'", "'^[a-z]+$'")
    case ("type", .text), ("type", .jsonText): ("string", "[number, 'null']")
    case ("type", .number), ("type", .seconds), ("type", .bytes): ("integer", "string")
    case ("type", .list): ("array", "[object, string]")
    case ("type", .object): ("object", "array")
    case ("length", .text), ("length", .jsonText): ("{ gte: 4 }", "5")
    case ("length", .list): ("2", "{ lt: 2 }")
    case ("length", .object): ("1", "2")
    case ("empty", .text), ("empty", .jsonText), ("empty", .list), ("empty", .object): ("false", "true")
    case ("each", .list): ("{ type: string, length: 4 }", "Emma")
    case ("any", .list): ("Emma", "Ulysses")
    case ("none", .list): ("Ulysses", "Emma")
    case ("subset", .list): ("[Emma]", "[Emma, Emma]")
    case ("subset", .object): ("{ title: Dune }", "{ pages: 1 }")
    case ("schema", .text), ("schema", .jsonText): ("{ minLength: 4 }", "{ minLength: 5 }")
    case ("schema", .number), ("schema", .seconds), ("schema", .bytes): ("{ maximum: 5 }", "{ exclusiveMaximum: 5 }")
    case ("schema", .list): ("{ minItems: 2 }", "{ maxItems: 1 }")
    case ("schema", .object): ("{ required: [title] }", "{ required: [pages] }")
    default: nil
    }
  }

  static let predicates = [
    "eq", "ne", "gt", "gte", "lt", "lte", "in", "contains", "starts_with", "ends_with", "matches", "type", "length", "empty", "exists",
    "each", "any",
    "none", "subset", "schema", "not",
  ]

  @Test(arguments: places.indices, predicates)
  func `each predicate that applies to a part of a response passes with one argument and fails with another`(
    place: Int, predicate: String
  ) throws {
    let place = Self.places[place]
    func failures(_ argument: String) throws -> [String] {
      // The value 5 is not a valid status, but the default expectation is not tested here.
      let status = place.name == "status" ? "" : "  status: { gte: 0 }\n"
      return try CheckRun.messages("expect:\n\(status)  \(place.line("{ \(predicate): \(argument) }"))", place.response)
    }
    guard let (holds, fails) = Self.arguments(predicate, place.kind) else {
      // A predicate that does not apply is rejected before the run, or fails for every value.
      for argument in ["1", "Dune", "{ eq: 1 }", "[1]", "true"] {
        do {
          let found = try failures(argument)
          #expect(!found.isEmpty, "\(place.name): \(predicate): \(argument)")
        } catch is CheckRun.Refused {}
      }
      return
    }
    #expect(try failures(holds) == [], "\(place.name): \(predicate): \(holds)")
    // It is known before the run that a header never has the type number.
    do {
      #expect(try !failures(fails).isEmpty, "\(place.name): \(predicate): \(fails)")
    } catch is CheckRun.Refused {
      #expect(predicate == "type")
    }
  }

  /// A pattern that would take forever is stopped, and the failure says so.
  @Test func `a regular expression that backtracks endlessly is stopped with a message`() throws {
    let text = String(repeating: "a", count: 40_000) + "!"
    for lines in ["expect: { body: { matches: '^(a+)+$' } }", "extract: { a: { regex: '^((a+)+)$' } }"] {
      let messages = try CheckRun.messages(lines, FakeResponse(text, type: "text/plain"))
      #expect(messages.count == 1 && messages[0].contains("too many matching steps"), "\(messages)")
    }
  }
}

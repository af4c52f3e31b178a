import Testing

@testable import GarlandRunner
@testable import GarlandWorkflow

/// Tests of a path that selects nothing, for example because it is misspelt. Such an expectation never passes, unless it requires absence.
@Suite struct NothingTests {
  /// Arguments for each predicate, including some that any value would meet.
  static let arguments: [PredicateKey: [String]] = [
    .eq: ["[]", "[1]", "x", "null"], .ne: ["[1]", "x", "[]", "null"], .gt: ["1", "-1"], .gte: ["0"], .lt: ["5"], .lte: ["5"],
    .in: ["[1]", "[[]]", "[null]"], .contains: ["1", "x"], .startsWith: ["x", "''"], .endsWith: ["x", "''"], .matches: ["x", "''"],
    .type: ["array", "string", "[array, null]", "null"],
    .length: ["0", "3", "{ lt: 5 }", "{ gte: 0 }", "{ ne: 3 }", "{ not: 3 }", "{ gt: 0 }"],
    .empty: ["true", "false"], .exists: ["true", "false"], .each: ["{ eq: 1 }", "{ not: 1 }"], .any: ["{ eq: 1 }", "{ not: 1 }"],
    .none: ["{ eq: 1 }", "{ exists: true }"], .subset: ["[]", "[1]", "{}"], .schema: ["{ type: array }", "{ items: false }", "true"],
    .not: ["{ eq: 1 }", "{ length: 0 }"], .json: ["{ $: 1 }", "{ $: { exists: false } }"],
    .date: ["{ within: 5m }", "{ before: 2030-01-01 }"],
  ]
  /// Predicates that require absence of any value.
  static let ofAnything: Set<String> = ["exists: false", "not: { exists: true }", "not: { not: { exists: false } }"]
  /// Predicates that require absence of a list's items.
  static let ofLists: Set<String> = [
    "empty: true", "not: { empty: false }", "not: { not: { empty: true } }", "length: 0", "length: { lt: 5 }", "length: { gte: 0 }",
    "eq: []",
  ]

  @Test func `every predicate is tested with a path that selects nothing`() {
    #expect(PredicateKey.allCases.allSatisfy { Self.arguments[$0]?.isEmpty == false })
  }

  @Test(arguments: [
    ("json", "$.missing", false), ("json", "$.author.missing", false), ("json", "'$.books[*].missing'", true), ("json", "$..missing", true),
    ("json", "'$.books[?@.p > 99]'", true), ("headers", "X-Missing", false), ("cookies", "missing", false),
  ]) func `if a JSONPath, header or cookie does not exist, only predicates that allow a missing value pass`(
    place: String, path: String, isList: Bool
  ) throws {
    try judgeAll(place, path, isList, FakeResponse(PredicateTests.body))
  }

  @Test(arguments: ["//h7", "//li/@missing"]) func `if an XPath finds no node, only predicates that allow a missing value pass`(
    path: String
  ) throws {
    try judgeAll("xpath", path, true, XPathCheckTests.html)
  }

  private func judgeAll(_ place: String, _ path: String, _ isList: Bool, _ response: FakeResponse) throws {
    var green: Set<String> = []
    var asked = 0
    for (key, arguments) in Self.arguments {
      for argument in arguments {
        let plain = "\(key.rawValue): \(argument)"
        for predicate in [plain, "not: { \(plain) }", "not: { not: { \(plain) } }"] {
          // A predicate that `check` rejects does not pass either.
          guard let messages = try? CheckRun.messages("expect:\n  \(place):\n    \(path): { \(predicate) }", response) else { continue }
          asked += 1
          if messages.isEmpty { green.insert(predicate) }
        }
      }
    }
    #expect(asked > 20)
    #expect(green.subtracting(Self.ofAnything.union(isList ? Self.ofLists : [])).sorted() == [], "\(place) \(path)")
    #expect(green.isSuperset(of: Self.ofAnything))
    if isList { #expect(green.isSuperset(of: Self.ofLists)) }
  }

  @Test func `for an empty list, the predicates 'not', 'ne' and 'subset' pass, and 'any' and 'none' fail`() throws {
    let response = FakeResponse(PredicateTests.body)
    #expect(
      try CheckRun.messages("expect: { json: { $.nothing: { not: { contains: 1 }, ne: [1], subset: [], type: array } } }", response) == [])
    #expect(
      try CheckRun.messages("expect: { json: { $.nothing: { not: { any: 1 } } } }", response) == [
        "json $.nothing: is an empty list, but `any` needs at least one item"
      ])
    #expect(try CheckRun.messages("expect: { json: { '$.nothing': { none: 1 } } }", response).count == 1)
  }

  @Test func `if a JSON object in the body repeats a member name, the failure explains that the last value counts`() throws {
    let judgement = try CheckRun.judge("expect: { json: { $.a: 1 } }", FakeResponse(#"{"a":1,"b":3,"a":2}"#))
    let failure = try #require(judgement.failures.first)
    #expect(failure.message == "is 2, expected 1")
    #expect(failure.help == "the body has `a` twice in one object: the last one counts (RFC 8259, section 4)")
    #expect(failure.excerpt == #"{"a":1,"b":3,"a":2}"#)
    let other = try CheckRun.judge("expect: { json: { $.b.z: 3, $.a: 1 } }", FakeResponse(#"{"b":{"x":1,"x":2},"a":1,"a":2}"#))
    #expect(
      other.failures.last?.help == "the body has `a` twice in one object, and 1 other name: the last one counts (RFC 8259, section 4)")
    #expect(try CheckRun.judge("expect: { json: { $.a: 2 } }", FakeResponse(#"{"a":1,"a":2}"#)).failures.isEmpty)
  }
}

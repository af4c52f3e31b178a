import GarlandJSON
import GarlandResults
import GarlandSandbox
import Testing

@testable import GarlandRunner

/// Tests of responses that would take practically forever to check. Without a time limit, no test would end.
@Suite(.timeLimit(.minutes(5))) struct JudgingTimeTests {
  /// Each definition refers to the next one twice, which results in about 10¹⁸ evaluations.
  private static let schema =
    "{ $ref: '#/$defs/d0', $defs: { "
    + (0..<60).map { "d\($0): { allOf: [{ $ref: '#/$defs/d\($0 + 1)' }, { allOf: [{ $ref: '#/$defs/d\($0 + 1)' }] }] }, " }.joined()
    + "d60: { type: object } } }"

  private func run(_ step: String, deadline: Duration? = nil) async throws -> TestRun {
    try await withSandbox { sandbox in
      try await TestRun.carryOut(prelude + "    slow: \(step)\n    other: { get: /get }\n", sandbox) { $0.pace.deadline = deadline }
    }
  }

  @Test func `a schema check that takes too long stops at the step's deadline`() async throws {
    let run = try await run("{ get: /get, deadline: 1s, expect: { schema: \(Self.schema) } }")
    #expect(run.outcomes.sorted() == ["other passed", "slow error"])
    let failure = try #require(try run.result("slow").failures.first)
    #expect(failure.subject == "schema")
    #expect(failure.message == "was not finished: the `deadline` of 1 s was reached while the response was checked")
    #expect(failure.range != nil)
    #expect(run.summary.exitStatus == 4)
  }

  @Test func `a schema check that takes too long stops at the step's timeout`() async throws {
    let run = try await run("{ get: /get, timeout: 1s, expect: { schema: \(Self.schema) } }")
    let failure = try #require(try run.result("slow").failures.first)
    #expect(failure.message == "was not finished: the `timeout` of 1 s was reached while the response was checked")
  }

  @Test func `a schema check that takes too long stops at the run's deadline`() async throws {
    let run = try await run("{ get: /get, expect: { schema: \(Self.schema) } }", deadline: .seconds(1))
    #expect(try run.result("slow").outcome == .error)
    let failure = try #require(try run.result("slow").failures.first)
    #expect(failure.message == "was not finished: the run reached its deadline of 1 s while the response was checked")
  }

  @Test func `no value is extracted from a response after the step's deadline`() async throws {
    let run = try await run("{ get: /get, deadline: 1s, expect: { schema: \(Self.schema) }, extract: { link: $.url } }")
    #expect(try run.result("slow").extracted.isEmpty)
  }

  @Test(arguments: [
    (
      "expect: { that: '${response.json.json | map(response.json.json | map(response.json.json | length) | sort | length) | length == 7}' }",
      "that"
    ),
    (
      "extract: { found: '${response.json.json | map(response.json.json | map(response.json.json | unique | length) | length)}' }",
      "extract found"
    ),
    (
      "poll: { until: '${(response.json.json | map(response.json.json | map(response.json.json | length) | length) | length) == 7}', within: 1h }",
      "poll.until"
    ),
  ]) func `an expression on the response that takes too long stops at the step's deadline`(_ key: String, _ subject: String) async throws {
    let body = "[" + (0..<3_000).map(String.init).joined(separator: ", ") + "]"
    let run = try await run("{ post: /anything, json: \(body), deadline: 1s, \(key) }")
    #expect(run.outcomes.sorted() == ["other passed", "slow error"])
    #expect(try run.result("slow").failures.map(\.subject) == [subject])
    #expect(try run.result("slow").failures.first?.message.hasPrefix("was not finished: the `deadline` of 1 s was reached") == true)
  }

  @Test(arguments: [
    ("that: '${response.json.json.text | split(response.json.json.part) | length == 1}'", "that"),
    ("that: '${response.json.json.text | replace(response.json.json.part, \"c\") | length == 1}'", "that"),
    ("json: { $.json.list: { subset: '${8000 | range | map(8000 - item)}' } }", "json $.json.list"),
  ]) func `a search whose time grows with the product of two sizes stops at the step's deadline`(
    _ expectation: String, _ subject: String
  ) async throws {
    let letters = "map(\"\(String(repeating: "a", count: 50))\") | join(\"\")"
    let body = "{ text: '${800 | range | \(letters)}', part: '${400 | range | \(letters)}b', list: '${8000 | range}' }"
    let run = try await run("{ post: /anything, json: \(body), deadline: 2s, expect: { \(expectation) } }")
    #expect(try run.result("slow").outcome == .error)
    let failure = try #require(try run.result("slow").failures.first)
    #expect(failure.subject == subject)
    #expect(failure.message.hasPrefix("was not finished: the `deadline` of 2 s was reached"), "\(failure.message)")
  }

  @Test func `a search for a long text in a text of equal letters ends with the time limit`() {
    let computation = Computation(limit: .zero)
    let text = String(repeating: "a", count: 100_000)
    #expect(!computation.run { ByteSearch.contains(String(repeating: "a", count: 50_000) + "b", in: text) })
    #expect(computation.hasEnded)
  }
}

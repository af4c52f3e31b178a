import GarlandJSON
import GarlandResults
import GarlandSandbox
import Testing

@testable import GarlandRunner

/// Tests of responses that would take practically forever to check. Without a time limit, no test would end.
@Suite(.timeLimit(.minutes(15))) struct JudgingTimeTests {
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

  /// Runs a step with a response from memory, so that the whole time limit is left for checking it. No timer of the run is
  /// pending meanwhile, so the simulated time does not advance.
  private func run(_ step: String, response: String) async throws -> TestRun {
    let transport = MemoryTransport { _, _ in .init(body: response) }
    let text = "garland: 1\ndefaults: { base_url: http://in.memory }\nsteps:\n  slow: \(step)\n  other: { get: /get }\n"
    return try await TestRun.carryOut(
      text,
      configure: {
        $0.sending.transport = transport
        $0.clock = { transport.now }
      })
  }

  @Test func `a schema check that takes too long stops at the step's deadline`() async throws {
    let run = try await run("{ get: /get, deadline: 1s, expect: { schema: \(Self.schema) } }", response: "{}")
    #expect(run.outcomes.sorted() == ["other passed", "slow error"])
    let failure = try #require(try run.result("slow").failures.first)
    #expect(failure.subject == "schema")
    #expect(failure.message == "the evaluation was not finished: the `deadline` of 1 s was reached while the response was checked")
    #expect(failure.range != nil)
    #expect(run.summary.exitStatus == 4)
  }

  @Test func `a schema check that takes too long stops at the step's timeout`() async throws {
    let run = try await run("{ get: /get, timeout: 1s, expect: { schema: \(Self.schema) } }", response: "{}")
    let failure = try #require(try run.result("slow").failures.first)
    #expect(failure.message == "the evaluation was not finished: the `timeout` of 1 s was reached while the response was checked")
  }

  @Test func `a schema check that takes too long stops at the run's deadline`() async throws {
    let run = try await run("{ get: /get, expect: { schema: \(Self.schema) } }", deadline: .seconds(1))
    #expect(try run.result("slow").outcome == .error)
    let failure = try #require(try run.result("slow").failures.first)
    #expect(failure.message == "the evaluation was not finished: the run reached its deadline of 1 s while the response was checked")
  }

  @Test func `if the step's deadline is reached during the checks of a response, no value is extracted`() async throws {
    let run = try await run(
      "{ get: /get, deadline: 1s, expect: { schema: \(Self.schema) }, extract: { link: $.url } }", response: #"{"url":"x"}"#)
    #expect(try run.result("slow").extracted.isEmpty)
  }

  @Test(arguments: [
    (
      "expect: { that: '${response.json | map(response.json | map(response.json | length) | sort | length) | length == 7}' }",
      "that"
    ),
    (
      "extract: { found: '${response.json | map(response.json | map(response.json | unique | length) | length)}' }",
      "extract.found"
    ),
    (
      "poll: { until: '${(response.json | map(response.json | map(response.json | length) | length) | length) == 7}', within: 1h }",
      "poll.until"
    ),
  ]) func `a slow evaluation of an expectation, an extract or a polling condition stops at the step's deadline`(
    _ key: String, _ subject: String
  ) async throws {
    let body = "[" + (0..<3_000).map(String.init).joined(separator: ", ") + "]"
    let run = try await run("{ get: /numbers, deadline: 1s, \(key) }", response: body)
    #expect(run.outcomes.sorted() == ["other passed", "slow error"])
    #expect(try run.result("slow").failures.map(\.subject) == [subject])
    let message = try #require(try run.result("slow").failures.first?.message)
    #expect(message.hasPrefix("the evaluation was not finished: the `deadline` of 1 s was reached"), "\(message)")
  }

  @Test(arguments: [
    ("that: '${response.json.text | split(response.json.part) | length == 1}'", "that"),
    ("that: '${response.json.text | replace(response.json.part, \"c\") | length == 1}'", "that"),
    ("json: { $.list: { subset: '${8000 | range | map(8000 - item)}' } }", "json $.list"),
  ]) func `an expectation that takes quadratic time for a long text or list stops at the step's deadline`(
    _ expectation: String, _ subject: String
  ) async throws {
    let text = String(repeating: "a", count: 40_000)
    let part = String(repeating: "a", count: 20_000) + "b"
    let body = "{\"text\":\"\(text)\",\"part\":\"\(part)\",\"list\":[\((0..<8_000).map(String.init).joined(separator: ","))]}"
    let run = try await run("{ get: /texts, deadline: 2s, expect: { \(expectation) } }", response: body)
    #expect(try run.result("slow").outcome == .error)
    let failure = try #require(try run.result("slow").failures.first)
    #expect(failure.subject == subject)
    #expect(failure.message.hasPrefix("the evaluation was not finished: the `deadline` of 2 s was reached"), "\(failure.message)")
  }

  @Test func `the search for a long text in a text that repeats one letter stops at the time limit`() {
    let computation = Computation(limit: .zero)
    let text = String(repeating: "a", count: 100_000)
    #expect(!computation.run { ByteSearch.contains(String(repeating: "a", count: 50_000) + "b", in: text) })
    #expect(computation.hasEnded)
  }
}

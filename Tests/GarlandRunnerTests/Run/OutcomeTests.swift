import GarlandResults
import GarlandSandbox
import Testing

@Suite("Outcomes of real runs")
struct OutcomeTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var steps: String
    var outcomes: [String]
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "a failure blocks those that need it, however far",
      steps: """
          a: { get: /status/500 }
          b: { get: /get, after: a }
          c: { get: /get, after: b }
          d: { get: /get, after: {a: ended} }
          e: { get: /get }
        """,
      outcomes: ["a failed", "b blocked", "c blocked", "d passed", "e passed"]),
    Case(
      name: "after a step skipped by when: followers run, users only with ??",
      steps: """
          a: { get: /json, when: "${1 == 2}", extract: { x: $.x } }
          follows: { get: /get, after: a }
          needs: { get: "/anything/${a.x}" }
          can_do_without: { get: "/anything/${a.x ?? 'none'}" }
          both: { get: "/anything/${a.x ?? 'none'}/${a.x}" }
        """,
      outcomes: ["a skipped", "follows passed", "needs blocked", "can_do_without passed", "both blocked"]),
    Case(
      name: "always runs however others ended",
      steps: """
          a: { get: /status/500 }
          b: { get: /get, after: a }
          last: { get: /get, after: b, always: true }
        """,
      outcomes: ["a failed", "b blocked", "last passed"]),
    Case(
      name: "always without the value it needs is blocked, not failed",
      steps: """
          login: { get: /fault/close, extract: { token: $.token } }
          logout: { get: "/anything/${login.token}", always: true }
        """,
      outcomes: ["login error", "logout blocked"]),
    Case(
      name: "cleanup runs after a failed user, and is skipped when nothing was made",
      steps: """
          made: { post: /anything, json: {id: 1}, extract: { id: $.json.id } }
          user: { get: "/status/500?${made.id}" }
          remove: { delete: "/anything/${made.id}", cleanup: made }
          broken: { get: /status/500 }
          never: { post: /anything, after: broken }
          remove_never: { delete: /anything/x, cleanup: never }
        """,
      outcomes: ["made passed", "user failed", "remove passed", "broken failed", "never blocked", "remove_never skipped"]),
    Case(
      name: "cleanup of a request that was refused has nothing to do",
      steps: """
          made: { post: /status/409 }
          remove: { delete: /anything/x, cleanup: made }
        """,
      outcomes: ["made failed", "remove skipped"]),
    Case(
      name: "cleanup of what failed only by an expectation runs",
      steps: """
          made: { post: /anything, json: {id: 1}, expect: { status: 201 }, extract: { id: $.json.id } }
          remove: { delete: "/anything/${made.id}", cleanup: made }
        """,
      outcomes: ["made failed", "remove passed"]),
    Case(
      name: "an allowed failure lets followers run",
      steps: """
          a: { get: /status/500, allow_failure: true }
          b: { get: /get, after: a }
        """,
      outcomes: ["a failed", "b passed"]),
    Case(
      name: "an undefined value fails the step that uses it, before anything is sent",
      steps: """
          a: { get: /json }
          b: { get: "/anything/${a.json.no_such_member}" }
        """,
      outcomes: ["a passed", "b failed"]),
    Case(
      name: "a redirect that is expected is not followed",
      steps: """
          a: { get: /redirect-to?url=/status/500, expect: { status: 302 } }
          b: { get: /redirect/2, expect: { status: 200 } }
        """,
      outcomes: ["a passed", "b passed"]),
  ]

  @Test(arguments: cases)
  func `whether a step runs depends on the outcomes of earlier steps, and on keys such as 'after', 'when' and 'always'`(_ test: Case)
    async throws
  {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(prelude + test.steps, sandbox)
      #expect(run.outcomes == test.outcomes)
    }
  }

  @Test func `the result of a blocked or skipped step contains the reason why the step did not run`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a: { get: /status/500 }
            b: { get: /get, after: a }
            c: { get: /get, after: b }
            d: { get: /get, when: "${'x' == 'y'}" }
            e: { get: /status/404, allow_failure: true }
            f: { delete: /get, cleanup: c }
          """, sandbox)
      let b = try run.result("b")
      #expect(b.blockedBy.map(\.id) == ["a"])
      #expect(b.reason == "needs the step `a`, which failed")
      #expect(try run.result("c").reason == "needs the step `b`, which was blocked because the step `a` failed")
      #expect(try run.result("d").reason == "`when` is false: \"${'x' == 'y'}\"")
      #expect(try run.result("f").reason == "nothing to clean up for the step `c`, which was blocked")
      #expect(run.summary.counts == [.failed: 1, .blocked: 2, .skipped: 2])
      #expect(run.summary.allowedFailures == 1)
      #expect(run.summary.exitStatus == 1)
    }
  }

  @Test(arguments: [
    ("/fault/close", Outcome.error, "lost"), ("/fault/truncate", .error, "ended"), ("/fault/bad-chunk", .error, "the response is invalid"),
    ("/fault/endless-headers", .error, "header"), ("/fault/reset", .error, "lost"), ("/redirect/loop", .error, "redirects"),
  ])
  func `a network fault, such as a reset connection, ends the step with an error that names the fault`(
    path: String, outcome: Outcome, words: String
  )
    async throws
  {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(prelude + "  a: { get: \(path) }\n  b: { get: /get, after: a }", sandbox)
      let result = try run.result("a")
      #expect(result.outcome == outcome)
      #expect(try #require(result.reason).contains(words), "\(result.reason ?? "")")
      #expect(result.exchanges.last?.error == result.reason)
      #expect(result.failures.map(\.kind) == [.transport])
      #expect(try run.result("b").outcome == .blocked)
      #expect(run.summary.exitStatus == 4)
    }
  }

  @Test func `a step whose host is down is unreachable, and the run's exit status is 3`() async throws {
    let run = try await TestRun.carryOut(
      """
      garland: 1
      steps:
        refused: { get: "http://127.0.0.1:1/" }
        unresolved: { get: "http://no-such-host.invalid/" }
        after_it: { get: "http://127.0.0.1:1/", after: refused }
      """)
    #expect(run.outcomes == ["refused unreachable", "unresolved unreachable", "after_it blocked"])
    #expect(try run.result("refused").reason == "connection refused by 127.0.0.1:1")
    #expect(run.summary.exitStatus == 3)
  }

  @Test func `the error of a timeout contains the time limit`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(prelude + "  a: { get: /delay/9, timeout: 3s }", sandbox)
      #expect(try run.result("a").reason == "no data for 3 s while waiting for the response")
      #expect(run.summary.exitStatus == 4)
    }
  }
}

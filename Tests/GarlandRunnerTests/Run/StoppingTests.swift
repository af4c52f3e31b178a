import GarlandResults
import GarlandSandbox
import Testing

@testable import GarlandRunner

@Suite("Stopping early")
struct StoppingTests {
  static let interruptible =
    prelude + """
        made: { post: /anything, json: { id: 7 }, extract: { id: $.json.id } }
        slow: { get: "/delay/10?${made.id}" }
        later: { get: /get, after: slow }
        remove: { delete: "/anything/${made.id}", cleanup: made }
        last: { get: /anything/last, after: {later: ended}, always: true }
      """

  @Test(arguments: [("SIGINT", Int32(130)), ("SIGTERM", 143)])
  func `an interrupt cancels running steps and runs cleanups`(signal: String, status: Int32) async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(Self.interruptible, sandbox) { _ in
      } react: { run, event in
        if case .stepStarted(let step, _) = event, step.id == "slow" { run.interrupt(signal: signal) }
      }
      #expect(run.outcomes == ["made passed", "slow not run", "later not run", "remove passed", "last passed"])
      #expect(try run.result("slow").reason == "interrupted by \(signal) while the step ran")
      #expect(try run.result("later").reason == "interrupted by \(signal)")
      #expect(run.summary.exitStatus == status)
      #expect(sandbox.records.contains { $0.method == "DELETE" && $0.target == "/anything/7" })
      #expect(run.observer.all.contains { if case .interrupted(signal, _) = $0 { true } else { false } })
    }
  }

  @Test func `a second interrupt ends the run immediately`() async throws {
    try await withSandbox { sandbox in
      let text = Self.interruptible + "\n  slow_cleanup: { get: /delay/10, cleanup: made }"
      let run = try await TestRun.carryOut(text, sandbox) { _ in
      } react: { run, event in
        guard case .stepStarted(let step, _) = event else { return }
        if step.id == "slow" { run.interrupt(signal: "SIGINT") }
        if step.id == "slow_cleanup" { run.abort() }
      }
      #expect(run.summary.exitStatus == 130)
      #expect(try run.result("slow_cleanup").outcome == .notRun)
      #expect(run.results.count == 6)
    }
  }

  @Test func `with fail-fast, no step is started after a failure, except steps with 'always: true'`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a: { get: /status/500 }
            b: { get: "/delay/0.1" }
            c: { get: /get, after: b }
            d: { get: /get, after: {b: ended}, always: true }
            e: { get: /get, after: a }
          """, sandbox
      ) { $0.pace.maxFailures = 1 }
      #expect(run.outcomes == ["a failed", "b passed", "c not run", "d passed", "e blocked"])
      #expect(run.summary.earlyEnd?.reason == "the run stopped after the first failed step")
      #expect(run.summary.exitStatus == 1)
    }
  }

  @Test func `after the maximum number of failures, only cleanups and steps with 'always: true' are started`() async throws {
    try await withSandbox { sandbox in
      var text = prelude + "    made: { post: /anything, json: { id: 7 }, extract: { id: $.json.id } }\n"
      for index in 0..<6 { text += "    f\(index): { get: /status/500 }\n" }
      text += "    f6: { get: /status/500, after: {f5: ended} }\n"
      text += "    remove: { delete: '/anything/${made.id}', cleanup: made }\n    last: { get: /get, after: {f6: ended}, always: true }\n"
      let run = try await TestRun.carryOut(text, sandbox) {
        $0.pace.maxFailures = 3
        $0.pace.isSerial = true
      }
      #expect(
        run.outcomes == [
          "made passed", "f0 failed", "f1 failed", "f2 failed", "f3 not run", "f4 not run", "f5 not run", "f6 not run", "remove passed",
          "last passed",
        ])
      #expect(try run.result("f3").reason == "the run stopped after 3 failed steps")
      #expect(run.summary.earlyEnd?.reason == "the run stopped after 3 failed steps")
      #expect(run.summary.exitStatus == 1)
    }
  }

  @Test func `if a report can't keep up with the events of a run, new steps are delayed`() async throws {
    try await withSandbox { sandbox in
      let gate = GatedObserver()
      let run = try await TestRun.carryOut(prelude + "  a: { get: /get }\n  b: { get: /get, after: a }", sandbox) {
        $0.observers.append(gate)
      }
      #expect(run.outcomes == ["a passed", "b passed"])
      #expect(gate.waits > 0)
    }
  }
}

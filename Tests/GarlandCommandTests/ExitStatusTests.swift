import GarlandDiagnostics
import GarlandResults
import TestSupport
import Testing

@testable import garland

/// Tests of the rule "When several apply, the first of 2, 1, 4, 3 wins" for all causes of a status.
@Suite(.timeLimit(.minutes(15))) struct ExitStatusTests {
  @Test func `if several exit statuses apply to a run, 2 takes precedence over 1, 1 over 4, and 4 over 3`() {
    let order: [Int32] = [130, 2, 1, 4, 3, 0]
    for (place, first) in order.enumerated() {
      for second in order[place...] {
        var one = ExitStatus(first)
        one.add(second)
        var other = ExitStatus(second)
        other.add(first)
        #expect(one.code == first && other.code == first, "\(first) \(second)")
      }
    }
    for (signal, status) in [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)] as [(String, Int32)] {
      var summary = RunSummary()
      summary.earlyEnd = EarlyEnd(.interrupt, signal)
      summary.counts = [.failed: 1, .error: 1, .unreachable: 1]
      #expect(summary.exitStatus == status)
    }
    for (counts, status) in [
      ([:], 0), ([.passed: 2, .skipped: 1, .blocked: 1], 0), ([.unreachable: 1], 3), ([.unreachable: 1, .error: 1], 4),
      ([.unreachable: 1, .error: 1, .failed: 1], 1),
    ] as [([Outcome: Int], Int32)] {
      var summary = RunSummary()
      summary.counts = counts
      #expect(summary.exitStatus == status, "\(counts)")
    }
  }

  @Test(arguments: [([:], 1), ([.unreachable: 1], 3), ([.unreachable: 1, .error: 1], 4)] as [([Outcome: Int], Int32)])
  func `a run that failures stopped has the exit status of these failures, or 1 if all of them are allowed`(
    counts: [Outcome: Int], status: Int32
  ) {
    var summary = RunSummary()
    summary.counts = counts
    summary.earlyEnd = EarlyEnd(.failures, "2 repetitions failed")
    #expect(summary.exitStatus == status)
  }

  @Test(
    arguments: [
      ([.failed], 1), ([.error], 4), ([.unreachable], 3), ([.unreachable, .error], 4), ([.error, .failed, .unreachable], 1),
      ([.blocked], 1), ([.blocked, .unreachable], 3),
    ] as [([Outcome], Int32)])
  func `an error that belongs to no step gives the run the exit status of its outcome`(outcomes: [Outcome], status: Int32) {
    var summary = RunSummary()
    for outcome in outcomes { summary.add(Diagnostic("undefined", "no value", at: nil), outcome) }
    #expect(summary.exitStatus == status)
  }

  @Test func `if a report can't be written, a more important problem, such as a failed check, still sets the exit status`() async throws {
    let folder = try Garland.folder(
      steps: """
        good: { get: /health }
        wrong: { get: /health, expect: { status: 404 } }
        down: { get: "http://127.0.0.1:1/" }
        broken: { get: /fault/reset-before-headers }
        """)
    try folder.write("bad.yaml", "garland: 1\nsteps: { a: { gte: /x } }\n")
    let full = "--report json=/dev/full"
    for (line, status) in [
      ("good \(full)", 4), ("wrong \(full)", 1), ("down \(full)", 4), ("broken \(full)", 4), ("down wrong \(full)", 1),
      ("good >/dev/full", 4), ("wrong >/dev/full", 1), ("down >/dev/full", 3), ("wrong 2>/dev/full", 1), ("wrong >/dev/full 2>&1", 1),
      ("good --print '${good.json.nothing}' \(full)", 1), ("broken --print '${good.json.nothing}'", 1),
      ("wrong --print '${good.status}' >/dev/full", 1), ("good --print '${good.status}' >/dev/full", 4),
      ("down --print '${good.status}' >/dev/full", 4),
    ] as [(String, Int32)] {
      let result = try await shell("run w.yaml --sandbox --quiet \(line)", in: folder)
      #expect(result.status == status, "\(line): \(result.output)\(result.error)")
    }
    for line in ["check bad.yaml 2>/dev/full", "run bad.yaml 2>/dev/full", "run bad.yaml >/dev/full", "list bad.yaml 2>&-"] {
      #expect(try await shell(line, in: folder).status == 2, "\(line)")
    }
    for line in ["check w.yaml >/dev/full", "list w.yaml >/dev/full", "plan w.yaml >/dev/full", "curl w.yaml good >/dev/full"] {
      let result = try await shell(line, in: folder, environment: ["GARLAND_SANDBOX": "http://127.0.0.1:1"])
      #expect(result.status == 4, "\(line): \(result.error)")
    }
  }

  private func shell(
    _ line: String, in folder: TemporaryFolder, environment: [String: String?] = [:]
  ) async throws -> ChildProcess.Result {
    var variables: [String: String?] = ["CI": nil, "GITHUB_ACTIONS": nil, "GARLAND_SANDBOX": nil]
    variables.merge(environment) { $1 }
    return try await ChildProcess.run("/bin/sh", ["-c", "exec '\(Garland.path)' \(line)"], environment: variables, in: folder.path)
  }
}

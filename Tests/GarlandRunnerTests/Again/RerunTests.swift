import GarlandResults
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of `--rerun-failed` for steps that run for the first time, or never, in a rerun.
@Suite(.timeLimit(.minutes(15))) struct RerunTests {
  /// Returns the response to a request: `shaky` fails once, `relapse` fails from the second time on, and `broken` always.
  private static func answer(_ url: String, _ number: Int) -> MemoryTransport.Answer {
    let fails =
      url.contains("/shaky") && number == 0 || url.contains("/relapse") && number > 0 || url.contains("/broken")
    return .init(status: fails ? 500 : 200)
  }

  @Test func `if failures of passed cleanups end a rerun, a step that therefore never runs fails with the first failure`() async throws {
    let steps = """
      create: { post: /create }
      one: { get: /relapse1, cleanup: create }
      two: { get: /relapse2, cleanup: create }
      three: { get: /relapse3, cleanup: create }
      shaky: { get: "/shaky?c=${create.status}" }
      other: { get: "/shaky/other" }
      slow: { get: "/slow?o=${other.status}" }
      last: { get: "/last?s=${slow.status}" }
      """
    let series = try await SeriesRun.carryOut(steps, .reruns(1), maxFailures: 3) { url, number in
      var answer = Self.answer(url, number)
      if url.contains("/slow") { answer.after = .seconds(60) }
      return answer
    }
    #expect(
      series.outcomes == [
        "create passed", "one passed", "two passed", "three passed", "shaky passed", "other passed", "slow passed", "last failed",
      ])
    let last = try series.result("last")
    let cause = "step `one` passed before, but not in the last rerun: status is 500, expected 2xx"
    #expect(last.failures.map(\.sentence) == ["the run stopped after 3 failed steps; the \(cause)"])
    #expect(series.summary.flaky == 2 && series.summary.exitStatus == 1)
  }

  @Test(arguments: [("broken", "failed", 1), ("ok", "passed", 0)] as [(String, String, Int32)])
  func `a cleanup that was skipped because its step was blocked has the result of the rerun in which it runs`(
    path: String, outcome: String, status: Int32
  ) async throws {
    let steps = """
      shaky: { get: /shaky }
      create: { post: "/create?s=${shaky.status}" }
      remove: { get: /\(path), cleanup: create }
      """
    let series = try await SeriesRun.carryOut(steps, .reruns(1), answer: Self.answer)
    #expect(series.outcomes == ["shaky passed", "create passed", "remove \(outcome)"])
    #expect(series.summary.exitStatus == status && series.summary.flaky == 1)
  }

  @Test func `a step that is blocked again names the step that blocks it in the last rerun`() async throws {
    let steps = """
      shaky: { get: /shaky }
      later: { get: "/broken?s=${shaky.status}" }
      use: { get: "/use?s=${shaky.status}&l=${later.status}" }
      """
    let series = try await SeriesRun.carryOut(steps, .reruns(1), answer: Self.answer)
    #expect(series.outcomes == ["shaky passed", "later failed", "use blocked"] && series.summary.exitStatus == 1)
    #expect(try series.result("use").blockedBy.map(\.id) == ["later"])
  }

  /// Runs a loop whose list is a number in the first run, and a list of two items in the rerun.
  private static func loop(_ keys: String = "", status: Int = 200) async throws -> SeriesRun {
    let steps = """
      list: { get: /list }
      loop: { for_each: "${list.json}", get: "/item/${item}"\(keys) }
      """
    return try await SeriesRun.carryOut(steps, .reruns(1)) { url, number in
      url.hasSuffix("/list") ? .init(body: number == 0 ? "5" : "[1, 2]") : .init(status: status)
    }
  }

  @Test func `if a loop failed as a whole, the first item that runs in the rerun has this failure as an earlier result`() async throws {
    let series = try await Self.loop()
    #expect(series.outcomes == ["list passed", "loop [1] passed", "loop [2] passed"])
    #expect(series.results.flatMap(\.earlier).map(\.step.id) == ["loop"])
    #expect(series.summary.flaky == 1 && series.summary.exitStatus == 0)
  }

  @Test func `if a whole loop fails and then an item fails in the rerun, both failures are reported`() async throws {
    let series = try await Self.loop(status: 500)
    #expect(series.outcomes == ["list passed", "loop [1] failed", "loop [2] failed"])
    #expect(series.results.flatMap(\.earlier).count == 1 && series.summary.exitStatus == 1)
  }

  @Test func `if a whole loop fails and all of its items are skipped in the rerun, the failure remains`() async throws {
    let series = try await Self.loop(", when: '${item > 2}'")
    #expect(series.outcomes.count == 2 && series.outcomes.first == "list passed" && series.summary.exitStatus != 0)
    #expect(try series.result("loop").iterationIndex == nil)
  }
}

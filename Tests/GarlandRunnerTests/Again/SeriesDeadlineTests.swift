import GarlandResults
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of `--deadline` together with `--rerun-failed`, `--repeat` and `--until-failure`.
///
/// The first run ends at once. In most tests, the deadline ends the second run, which would take two hours.
@Suite(.timeLimit(.minutes(15))) struct SeriesDeadlineTests {
  private static let deadline = "the run reached its deadline of 1 h"

  private static func run(
    _ steps: String, _ kind: SeriesRun.Kind, pause: Duration = .zero,
    answer: @escaping @Sendable (_ url: String, _ number: Int) -> MemoryTransport.Answer = { _, number in
      .init(after: number == 0 ? .zero : .seconds(7_200))
    }
  ) async throws -> SeriesRun {
    try await SeriesRun.carryOut(steps, kind, deadline: .seconds(3_600), pause: pause, answer: answer)
  }

  @Test(
    arguments: [
      (.repetitions(nil, untilFailure: true), ["a [#1] passed", "a [#2] error"]),
      (.repetitions(2, untilFailure: false), ["a [#1] passed", "a [#2] error"]), (.reruns(1), ["a failed"]),
    ] as [(SeriesRun.Kind, [String])])
  func `the message about the deadline of a series names the time that the user gave, not the time left`(
    kind: SeriesRun.Kind, outcomes: [String]
  ) async throws {
    var expect = ""
    if case .reruns = kind { expect = ", expect: { status: 500 }" }
    let series = try await Self.run("a: { get: /a\(expect) }", kind)
    #expect(series.outcomes == outcomes)
    #expect(series.summary.earlyEnd?.reason == Self.deadline)
    #expect(series.results.compactMap(\.reason).allSatisfy { $0 == Self.deadline })
  }

  @Test func `if the deadline ends the rerun of a failed step, the failure remains, and the exit status is 1`() async throws {
    let series = try await Self.run("s: { get: /s, expect: { status: 500 } }", .reruns(5))
    #expect(series.outcomes == ["s failed"] && series.summary.exitStatus == 1)
    #expect(try series.result("s").failures.map(\.sentence) == ["status is 200, expected 500"])
  }

  @Test func `if the deadline ends the rerun of a cleanup before its step has run, the failure of the cleanup remains`() async throws {
    let steps = """
      create: { post: /create, delay: "${(run.iteration - 1) * 2}h" }
      remove: { get: /remove, cleanup: create }
      """
    let series = try await Self.run(steps, .reruns(1)) { url, _ in .init(status: url.hasSuffix("remove") ? 500 : 200) }
    #expect(series.outcomes == ["create passed", "remove failed"] && series.summary.exitStatus == 1)
  }

  /// Returns the response to a request in which `/shaky` fails once.
  private static func shaky(_ url: String, _ number: Int) -> MemoryTransport.Answer {
    .init(status: url.hasSuffix("/shaky") && number == 0 ? 503 : 200)
  }

  @Test func `if the deadline ends a rerun before a blocked step has run, the step is not run, and the exit status is 4`() async throws {
    let series = try await Self.run(
      "shaky: { get: /shaky }\nuse: { get: '/use?s=${shaky.status}', delay: 2h }", .reruns(1), answer: Self.shaky)
    #expect(series.outcomes == ["shaky passed", "use not run"] && series.summary.exitStatus == 4)
  }

  @Test func `if the deadline ends the rerun of a step that a blocked step needs, the exit status is 4`() async throws {
    let steps = "x: { get: /x }\nshaky: { get: /shaky }\nuse: { get: '/use?s=${shaky.status}&x=${x.status}' }"
    let series = try await Self.run(steps, .reruns(1)) { url, number in
      var answer = Self.shaky(url, number)
      if url.hasSuffix("/x"), number > 0 { answer.after = .seconds(7_200) }
      return answer
    }
    #expect(series.outcomes == ["x passed", "shaky passed", "use error"] && series.summary.exitStatus == 4)
  }

  @Test func `if the deadline passes between two repetitions, the second one sends nothing, and its steps are not run`() async throws {
    let steps = "a: { get: /a }\nb: { get: /b, after: a }"
    let series = try await Self.run(steps, .repetitions(3, untilFailure: false), pause: .seconds(3_600))
    #expect(series.outcomes == ["a [#1] passed", "a [#2] not run", "b [#1] passed", "b [#2] not run"])
    #expect(series.results.compactMap(\.reason) == [Self.deadline, Self.deadline])
    #expect(series.summary.earlyEnd?.reason == Self.deadline && series.summary.requestCount == 2 && series.summary.exitStatus == 4)
  }

  @Test func `if the deadline passes between two repetitions, only the always steps of the second one run`() async throws {
    let steps = "a: { get: /a }\nlog: { get: /log, after: a, always: true }"
    let series = try await Self.run(steps, .repetitions(3, untilFailure: false), pause: .seconds(3_600)) { _, _ in .init() }
    #expect(series.outcomes == ["a [#1] passed", "a [#2] not run", "log [#1] passed", "log [#2] passed"])
    #expect(series.summary.requestCount == 3 && series.summary.exitStatus == 4)
  }

  @Test(
    arguments: [
      .repetitions(3, untilFailure: false), .repetitions(3, untilFailure: true), .repetitions(nil, untilFailure: true),
    ] as [SeriesRun.Kind])
  func `if the deadline passes while only an always step of a repetition runs, the next repetition is not run, and the exit status is 4`(
    kind: SeriesRun.Kind
  ) async throws {
    let series = try await Self.run("a: { get: /a }\nlog: { get: /log, after: a, always: true }", kind) { url, number in
      .init(after: url.hasSuffix("/log") && number == 0 ? .seconds(7_200) : .zero)
    }
    #expect(series.outcomes == ["a [#1] passed", "a [#2] not run", "log [#1] passed", "log [#2] passed"])
    #expect(series.summary.earlyEnd?.reason == Self.deadline && series.summary.requestCount == 3 && series.summary.exitStatus == 4)
  }

  @Test func `if the deadline passes while only an always step of the last repetition runs, the exit status is 0`() async throws {
    let steps = "a: { get: /a }\nlog: { get: /log, after: a, always: true }"
    let series = try await Self.run(steps, .repetitions(2, untilFailure: false)) { url, number in
      .init(after: url.hasSuffix("/log") && number == 1 ? .seconds(7_200) : .zero)
    }
    #expect(series.outcomes == ["a [#1] passed", "a [#2] passed", "log [#1] passed", "log [#2] passed"])
    #expect(series.summary.earlyEnd == nil && series.summary.exitStatus == 0)
  }

  @Test func `after the deadline, only one more repetition of a plan of always steps begins, and the exit status is 4`() async throws {
    let series = try await Self.run("log: { get: /log, always: true }", .repetitions(nil, untilFailure: true)) { _, number in
      .init(after: number == 0 ? .seconds(7_200) : .zero)
    }
    #expect(series.outcomes == ["log [#1] passed", "log [#2] passed"])
    #expect(series.summary.earlyEnd?.reason == Self.deadline && series.summary.exitStatus == 4)
  }

  @Test func `if the deadline passes between a run and its rerun, the summary says so, and a blocked step is not run`() async throws {
    let series = try await Self.run(
      "shaky: { get: /shaky }\nuse: { get: '/use?s=${shaky.status}' }", .reruns(1), pause: .seconds(3_600), answer: Self.shaky)
    #expect(series.outcomes == ["shaky failed", "use not run"])
    #expect(try series.result("use").reason == Self.deadline)
    #expect(series.summary.earlyEnd?.reason == Self.deadline && series.summary.requestCount == 1 && series.summary.exitStatus == 1)
  }

  @Test func `if the deadline passes while only an always step of the second last repetition runs, the last one runs, and has status 0`()
    async throws
  {
    let series = try await Self.run("log: { get: /log, always: true }", .repetitions(2, untilFailure: false)) { _, number in
      .init(after: number == 0 ? .seconds(7_200) : .zero)
    }
    #expect(series.outcomes == ["log [#1] passed", "log [#2] passed"])
    #expect(series.summary.earlyEnd == nil && series.summary.exitStatus == 0)
  }

  @Test func `if the deadline passes while only an always step runs and fails, the step runs again, and the exit status is 0`() async throws
  {
    let series = try await Self.run("log: { get: /log, always: true }", .reruns(1)) { _, number in
      .init(status: number == 0 ? 503 : 200, after: number == 0 ? .seconds(7_200) : .zero)
    }
    #expect(series.outcomes == ["log passed"] && series.results.map(\.isFlaky) == [true])
    #expect(series.summary.earlyEnd == nil && series.summary.exitStatus == 0)
  }

  @Test func `if the deadline passes after a run without failures, the run is not ended early`() async throws {
    let series = try await Self.run("a: { get: /a }", .reruns(1), pause: .seconds(3_600))
    #expect(series.outcomes == ["a passed"] && series.summary.earlyEnd == nil && series.summary.exitStatus == 0)
  }
}

import GarlandResults
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of runs with responses from memory and simulated time, in which times of hours are exact to the second.
@Suite(.timeLimit(.minutes(15))) struct SimulatedTimeTests {
  private static func hours(_ transport: MemoryTransport) -> [Int] { transport.sent.map { Int($0.at.components.seconds / 3600) } }

  @Test func `the pauses between retries grow by the factor in the document`() async throws {
    let transport = MemoryTransport { _, number in .init(status: number < 3 ? 503 : 200) }
    let run = try await TestRun.simulate("a: { get: /a, retry: { limit: 3, delay: 1h, factor: 2, jitter: 0, max_delay: 1d } }", transport)
    #expect(run.outcomes == ["a passed"])
    #expect(Self.hours(transport) == [0, 1, 3, 7])
    #expect(run.summary.wallTime == .seconds(7 * 3600))
  }

  /// The time for which the step was ready to send but waited for a free slot.
  private static func slotWait(of result: StepResult) -> Duration { max(.zero, result.startedAt - result.readyAt - result.delay) }

  @Test(arguments: ["a: { get: /a, delay: 2h }", "a: { get: '/a${item}', for_each: [1], delay: 2h }", "a: { get: /a, delay: '${2}h' }"])
  func `the delay of a step is recorded and does not count as a wait for a transfer slot`(step: String) async throws {
    let run = try await TestRun.simulate(step, MemoryTransport { _, _ in .init(after: .seconds(60)) })
    let result = try run.result("a")
    #expect(result.delay == .seconds(7200) && Self.slotWait(of: result) == .zero)
    #expect(result.duration == .seconds(60))
  }

  @Test func `the reported delay of a step includes neither a wait for a transfer slot nor a pause between attempts`() async throws {
    let transport = MemoryTransport { url, number in .init(status: url.hasSuffix("b") && number == 0 ? 503 : 200, after: .seconds(60)) }
    let run = try await TestRun.simulate("a: { get: /a }\nb: { get: /b, retry: { delay: 1h, jitter: 0 } }", transport) {
      $0.pace.concurrency = 1
    }
    #expect(run.results.map(\.delay) == [.zero, .zero])
    #expect(run.results.map(Self.slotWait).max() == .seconds(60))
  }

  @Test func `a polling step sends no request after its time limit`() async throws {
    let transport = MemoryTransport { _, _ in .init() }
    let run = try await TestRun.simulate(
      "a: { get: /a, poll: { until: { status: 201 }, every: 1h, within: 210m } }", transport)
    #expect(run.outcomes == ["a failed"])
    #expect(Self.hours(transport).prefix(4) == [0, 1, 2, 3])
    #expect(transport.sent.allSatisfy { $0.at <= .seconds(210 * 60) })
  }

  @Test func `the number of concurrent transfers does not exceed the limit of the run`() async throws {
    let transport = MemoryTransport { _, _ in .init(after: .seconds(3600)) }
    let run = try await TestRun.simulate((0..<10).map { "s\($0): { get: /\($0) }" }.joined(separator: "\n"), transport) {
      $0.pace.concurrency = 3
    }
    #expect(run.summary.counts[.passed] == 10)
    #expect(transport.mostUnderWay == 3)
    #expect(Self.hours(transport) == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3])
  }

  @Test func `a step waits only for the step whose value it uses`() async throws {
    let transport = MemoryTransport { url, _ in .init(after: .seconds(url.hasSuffix("slow") ? 7200 : 3600)) }
    let run = try await TestRun.simulate(
      """
      first: { get: /first, extract: { code: '${response.status}' } }
      slow: { get: /slow }
      second: { get: '/second?code=${first.code}' }
      """, transport)
    #expect(run.summary.counts[.passed] == 3)
    #expect(transport.sent.first { $0.url.contains("second") }?.at == .seconds(3600))
    #expect(run.summary.wallTime == .seconds(7200))
  }

  @Test func `the deadline of a run ends the steps that are running`() async throws {
    let transport = MemoryTransport { _, _ in .init(after: .seconds(7200)) }
    let run = try await TestRun.simulate("a: { get: /a }\nb: { get: /b, after: a }", transport) { $0.pace.deadline = .seconds(3600) }
    #expect(run.outcomes == ["a error", "b blocked"])
    #expect(try run.result("a").reason == "the run reached its deadline of 1 h")
    #expect(run.summary.earlyEnd?.cause == .deadline && run.summary.exitStatus == 4)
    #expect(run.summary.wallTime == .seconds(3600))
  }

  @Test func `if earlier runs have used a part of the deadline, the run ends after the rest, and its error states the whole deadline`()
    async throws
  {
    let transport = MemoryTransport { _, _ in .init(after: .seconds(7200)) }
    let run = try await TestRun.simulate("a: { get: /a }", transport) {
      $0.pace.deadline = .seconds(3600)
      $0.pace.spentTime = .seconds(3000)
    }
    #expect(try run.result("a").reason == "the run reached its deadline of 1 h")
    #expect(run.summary.earlyEnd?.reason == "the run reached its deadline of 1 h")
    #expect(run.summary.wallTime == .seconds(600))
  }

  @Test func `the error of a step that the deadline stops is marked as cut off`() async throws {
    let transport = MemoryTransport { url, _ in .init(after: .seconds(url.hasSuffix("long") ? 7200 : 60)) }
    let run = try await TestRun.simulate(
      """
      a: { get: /a }
      b: { get: /long, after: a }
      undo: { get: /undo, cleanup: a }
      """, transport
    ) { $0.pace.deadline = .seconds(3600) }
    #expect(run.outcomes == ["a passed", "b error", "undo passed"])
    #expect(run.results.map(\.isCutOff) == [false, true, false])
  }

  @Test func `after the run's deadline, only steps with 'always: true' and cleanups are started`() async throws {
    let transport = MemoryTransport { url, _ in .init(after: .seconds(url.hasSuffix("long") ? 7200 : 60)) }
    let run = try await TestRun.simulate(
      """
      a: { get: /long }
      b: { get: /b, after: {a: ended} }
      last: { get: /last, after: {b: ended}, always: true }
      """, transport
    ) { $0.pace.deadline = .seconds(3600) }
    #expect(run.outcomes == ["a error", "b not run", "last passed"])
    #expect(try run.result("b").reason == "the run reached its deadline of 1 h")
    #expect(run.summary.wallTime == .seconds(3660))
  }

  @Test func `if the run's deadline passes while only a cleanup runs, the run is not ended early and has status 0`() async throws {
    let transport = MemoryTransport { url, _ in .init(after: .seconds(url.hasSuffix("undo") ? 7200 : 60)) }
    let run = try await TestRun.simulate("a: { get: /a }\nundo: { get: /undo, cleanup: a }", transport) {
      $0.pace.deadline = .seconds(3600)
    }
    #expect(run.outcomes == ["a passed", "undo passed"] && run.summary.wallTime == .seconds(7260))
    #expect(run.summary.earlyEnd == nil && run.summary.exitStatus == 0)
  }

  @Test func `if the run's deadline ends only a step with allow_failure, the run is not ended early and has status 0`() async throws {
    let transport = MemoryTransport { _, _ in .init(after: .seconds(7200)) }
    let run = try await TestRun.simulate("a: { get: /a, allow_failure: true }", transport) { $0.pace.deadline = .seconds(3600) }
    #expect(run.outcomes == ["a error"] && run.summary.allowedFailures == 1)
    #expect(run.summary.earlyEnd == nil && run.summary.exitStatus == 0)
  }

  /// The step may have created something. All other steps are cancelled.
  @Test func `after the run's deadline, a running step that has a cleanup is completed and then cleaned up`() async throws {
    let transport = MemoryTransport { _, _ in .init(after: .seconds(7200)) }
    let run = try await TestRun.simulate(
      """
      made: { post: /made }
      used: { get: /used, after: made }
      plain: { get: /plain }
      remove: { delete: /made, cleanup: made }
      """, transport
    ) { $0.pace.deadline = .seconds(3600) }
    #expect(run.outcomes == ["made passed", "used not run", "plain error", "remove passed"], "\(run.results.map(\.reason))")
    #expect(run.summary.exitStatus == 4)
    #expect(run.summary.wallTime == .seconds(14_400))
  }

  @Test func `an interrupt cancels running steps, and cleanups still run`() async throws {
    let transport = MemoryTransport { url, _ in .init(after: .seconds(url.hasSuffix("long") ? 7200 : 60)) }
    let run = try await TestRun.simulate(
      """
      made: { post: /made }
      long: { get: /long, after: made }
      removed: { delete: /made, cleanup: made }
      """, transport
    ) { _ in
    } react: { run, event in
      if case .stepStarted(let step, _) = event, step.id == "long" { run.interrupt(signal: "SIGINT") }
    }
    #expect(run.outcomes == ["made passed", "long not run", "removed passed"])
    #expect(run.summary.wallTime == .seconds(120))
  }
}

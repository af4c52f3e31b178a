import GarlandResults
import Synchronization
import TestSupport
import Testing

@testable import GarlandReports

/// Tests of the results that a run with reruns of its failed steps (`--rerun-failed`) has in the reports.
@Suite struct RerunSeriesTests {
  private final class Recorder: RunObserver {
    private let events = Mutex<[RunEvent]>([])

    var results: [StepResult] {
      events.withLock { events in
        events.compactMap { event in
          guard case .stepEnded(let result) = event else { return nil }
          return result
        }
      }
    }

    func receive(_ event: RunEvent) { events.withLock { $0.append(event) } }
  }

  /// The result of a step in a rerun, and whether it replaces the result of the first run.
  struct Case: Sendable {
    let first: Outcome
    let again: Outcome
    var isCutOff = false
    let expected: Outcome
    let status: Int32
  }

  /// Executes a series of two runs, of which the deadline stops the second, and returns the reported results.
  private static func series(_ first: StepResult, _ again: StepResult) -> (results: [StepResult], summary: RunSummary) {
    let recorder = Recorder()
    let series = RerunSeries(recorder, failsWhenFlaky: false)
    for event in ReportText.run([first]) { series.receive(event) }
    #expect(series.next(at: .seconds(1)) == [first.step.index])
    let rerun = ReportText.run([again]) {
      $0.stoppedEarly = "the run reached its deadline of 1 s"
      $0.isOutOfTime = true
    }
    for event in rerun { series.receive(event) }
    let summary = series.finish()
    return (recorder.results, summary)
  }

  @Test(arguments: [
    Case(first: .failed, again: .error, isCutOff: true, expected: .failed, status: 1),
    Case(first: .failed, again: .notRun, expected: .failed, status: 1),
    // A cleanup is skipped if the step before it did not run.
    Case(first: .failed, again: .skipped, expected: .failed, status: 1),
    Case(first: .failed, again: .blocked, expected: .failed, status: 1),
    Case(first: .unreachable, again: .error, isCutOff: true, expected: .unreachable, status: 3),
  ])
  func `a rerun in which a step does not run to its end does not replace the step's failure`(_ one: Case) throws {
    let (results, summary) = Self.series(
      Fixture.result(0, one.first), Fixture.result(0, one.again) { $0.isCutOff = one.isCutOff })
    let result = try #require(results.first)
    #expect(results.count == 1 && result.outcome == one.expected && result.earlier.isEmpty && result.startedAt == .zero)
    #expect(summary.exitStatus == one.status && summary.counts == [one.expected: 1])
    #expect(summary.stoppedEarly == "the run reached its deadline of 1 s")
  }

  @Test(arguments: [
    Case(first: .failed, again: .error, expected: .error, status: 4),
    Case(first: .failed, again: .failed, expected: .failed, status: 1),
    Case(first: .failed, again: .passed, expected: .passed, status: 0),
  ])
  func `the result of a step that runs to its end in a rerun replaces the step's failure`(_ one: Case) throws {
    let (results, summary) = Self.series(Fixture.result(0, one.first), Fixture.result(0, one.again))
    let result = try #require(results.first)
    #expect(results.count == 1 && result.outcome == one.expected && result.earlier.map(\.outcome) == [one.first])
    #expect(summary.exitStatus == one.status && summary.counts == [one.expected: 1])
  }

  @Test(arguments: [
    Case(first: .blocked, again: .error, isCutOff: true, expected: .error, status: 4),
    Case(first: .blocked, again: .notRun, expected: .notRun, status: 4),
  ])
  func `if the deadline prevents the rerun of a blocked step, the exit status is 4, since the cause of the block may have passed`(
    _ one: Case
  ) throws {
    let (results, summary) = Self.series(
      Fixture.result(0, one.first), Fixture.result(0, one.again) { $0.isCutOff = one.isCutOff })
    #expect(results.map(\.outcome) == [one.expected])
    #expect(summary.exitStatus == one.status)
  }
}

import GarlandResults
import Testing

/// Tests of the results that a run with reruns of its failed steps (`--rerun-failed`) has in the reports.
@Suite struct RerunSeriesTests {
  /// The result of a step in a rerun, and whether it replaces the result of the first run.
  struct Case: Sendable {
    let first: Outcome
    let again: Outcome
    var isCutOff = false
    let expected: Outcome
    let status: Int32
  }

  /// Executes a series of two runs, and returns the reported results.
  ///
  /// - Parameter isOutOfTime: whether the deadline stops the second run.
  private static func series(
    _ first: StepResult, _ again: StepResult, isOutOfTime: Bool = true
  ) -> (results: [StepResult], summary: RunSummary) {
    let recorder = EventRecorder()
    let series = RerunSeries(recorder, failsWhenFlaky: false)
    for event in Sample.run([first]) { series.receive(event) }
    #expect(series.next(at: .seconds(1)) == [first.step.index])
    let rerun = Sample.run([again]) {
      if isOutOfTime { $0.endedEarly(EarlyEnd(.deadline, "the run reached its deadline of 1 s")) }
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
    Case(first: .unreachable, again: .error, isCutOff: true, expected: .unreachable, status: 4),
  ])
  func `a failed step keeps its result if the step does not run to its end in the rerun`(_ one: Case) throws {
    let (results, summary) = Self.series(
      Sample.result(0, one.first), Sample.result(0, one.again) { $0.isCutOff = one.isCutOff })
    let result = try #require(results.first)
    #expect(results.count == 1 && result.outcome == one.expected && result.earlier.isEmpty && result.startedAt == .zero)
    #expect(summary.exitStatus == one.status && summary.counts == [one.expected: 1])
    #expect(summary.earlyEnd?.reason == "the run reached its deadline of 1 s")
  }

  @Test(arguments: [
    Case(first: .failed, again: .error, expected: .error, status: 4),
    Case(first: .failed, again: .failed, expected: .failed, status: 1),
    Case(first: .failed, again: .passed, expected: .passed, status: 0),
  ])
  func `if a rerun completes a step that failed, the new result replaces the earlier one`(_ one: Case) throws {
    let (results, summary) = Self.series(Sample.result(0, one.first), Sample.result(0, one.again), isOutOfTime: false)
    let result = try #require(results.first)
    #expect(results.count == 1 && result.outcome == one.expected && result.earlier.map(\.outcome) == [one.first])
    #expect(summary.exitStatus == one.status && summary.counts == [one.expected: 1])
  }

  @Test(arguments: [
    Case(first: .blocked, again: .error, isCutOff: true, expected: .error, status: 4),
    Case(first: .blocked, again: .notRun, expected: .notRun, status: 4),
  ])
  func `if the deadline prevents the rerun of a blocked step, the exit status is 4`(
    _ one: Case
  ) throws {
    let (results, summary) = Self.series(
      Sample.result(0, one.first), Sample.result(0, one.again) { $0.isCutOff = one.isCutOff })
    #expect(results.map(\.outcome) == [one.expected])
    #expect(summary.exitStatus == one.status)
  }

  /// Executes a series of two runs, in which `create` is flaky and `health` passes only in the first run. The step `cover` needs the step
  /// `create` and, through the step `list`, the step `health`; `late` needs `cover`.
  private static func relapse(_ failure: StepResult) -> (results: [String], covers: [StepResult], summary: RunSummary) {
    let recorder = EventRecorder()
    let series = RerunSeries(recorder, failsWhenFlaky: false)
    let first = [
      Sample.result(0, .passed), Sample.result(1, .failed), Sample.result(3, .passed),
      Sample.result(2, .blocked) { $0.blockedBy = [Sample.steps[1]] }, Sample.result(4, .blocked) { $0.blockedBy = [Sample.steps[2]] },
    ]
    for event in Sample.run(first) { series.receive(event) }
    #expect(series.next(at: .seconds(1)) == [1, 2, 4])
    let again = [
      failure, Sample.result(1, .passed), Sample.result(3, .blocked) { $0.blockedBy = [Sample.steps[0]] },
      Sample.result(2, .blocked) { $0.blockedBy = [Sample.steps[3]] }, Sample.result(4, .blocked) { $0.blockedBy = [Sample.steps[2]] },
    ]
    for event in Sample.run(again) { series.receive(event) }
    let summary = series.finish()
    return (recorder.results.map { "\($0.step.id) \($0.outcome)" }, recorder.results.filter { $0.step.id == "cover" }, summary)
  }

  @Test(arguments: [
    Case(first: .passed, again: .failed, expected: .failed, status: 1),
    Case(first: .passed, again: .error, isCutOff: true, expected: .error, status: 4),
    Case(first: .passed, again: .unreachable, expected: .unreachable, status: 3),
  ])
  func `a step that never ran takes over the failure of a step that it needs, if that step passed at first and fails in the last rerun`(
    _ one: Case
  ) throws {
    let (results, covers, summary) = Self.relapse(
      Sample.result(0, one.again) {
        $0.isCutOff = one.isCutOff
        $0.reason = one.isCutOff ? "too late" : nil
        $0.failures = one.isCutOff ? [] : [CheckFailure(.value, subject: "it", message: "is wrong", at: nil)]
      })
    #expect(results == ["health passed", "list passed", "create passed", "cover \(one.expected)", "late blocked"])
    let cover = try #require(covers.first)
    let words = "needs the step `health`, which passed before, but not in the last rerun: "
    let sentences = cover.failures.map(\.sentence)
    #expect(one.isCutOff ? cover.reason == words + "too late" && sentences.isEmpty : sentences == [words + "it is wrong"])
    #expect(cover.blockedBy.isEmpty && cover.earlier.isEmpty)
    #expect(summary.exitStatus == one.status && summary.flaky == 1)
  }

  @Test func `if an allowed failure blocks a step in the last rerun, the final outcome of the step is 'blocked'`() {
    let (results, _, summary) = Self.relapse(Sample.result(0, .failed) { $0.isFailureAllowed = true })
    #expect(results == ["health passed", "list passed", "create passed", "cover blocked", "late blocked"])
    #expect(summary.exitStatus == 0)
  }

  /// Executes a series of two runs. In the first run, `health` fails, so `create` is blocked and its cleanup `remove` is skipped, after
  /// 1,001 items of the loop `list` were skipped. In the second run, `remove` fails. Returns the reported results, and the number of results
  /// that were reported before the second run.
  private static func manySkipped() -> (results: [StepResult], early: Int, summary: RunSummary) {
    let recorder = EventRecorder()
    let series = RerunSeries(recorder, failsWhenFlaky: false)
    let items = (0...RerunSeries.mostHeld).map { item in Sample.result(3, .skipped) { $0.iterationIndex = item } }
    let blocked = Sample.result(1, .blocked) { $0.blockedBy = [Sample.steps[0]] }
    for event in Sample.run([Sample.result(0, .failed)] + items + [blocked, Sample.result(5, .skipped)]) { series.receive(event) }
    let early = recorder.results.count
    #expect(series.next(at: .seconds(1)) == [0, 1])
    for event in Sample.run([Sample.result(0, .passed), Sample.result(1, .passed), Sample.result(5, .failed)]) { series.receive(event) }
    let summary = series.finish()
    return (recorder.results, early, summary)
  }

  @Test func `a cleanup that first runs in a rerun and fails there fails the run, even after 1,001 skipped loop items`() {
    let (results, _, summary) = Self.manySkipped()
    #expect(results.filter { $0.step.id == "remove" }.map(\.outcome) == [.failed])
    #expect(summary.exitStatus == 1)
  }

  @Test func `at most 1,000 results of skipped loop items are held back until the reruns end`() {
    let (results, early, _) = Self.manySkipped()
    #expect(early == 1)
    #expect(results.count { $0.outcome == .skipped } == RerunSeries.mostHeld + 1)
  }
}

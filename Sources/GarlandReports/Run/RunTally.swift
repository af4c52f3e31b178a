import GarlandResults

/// Counts a run's results for a report. With these counts, the report is complete even if the run ends without a summary.
struct RunTally {
  private var counted = RunSummary()
  private var ended: RunSummary?
  private var steps: [StepIdentity] = []
  private var isReported: [Bool] = []
  private var interruption: String?
  private var lastTime = Duration.zero

  mutating func receive(_ event: RunEvent) {
    switch event {
    case .runStarted(let start):
      steps = start.steps
      isReported = Array(repeating: false, count: steps.count)
    case .stepEnded(let result):
      counted.count(result)
      lastTime = max(lastTime, result.endedAt)
      if isReported.indices.contains(result.step.index) { isReported[result.step.index] = true }
    case .interrupted(let signal, let time):
      interruption = signal
      lastTime = max(lastTime, time)
    case .runEnded(let summary): ended = summary
    case .stepReady, .stepStarted, .stepProgressed, .stepWaits, .loadProgressed, .notice: break
    }
  }

  /// The summary in the event `runEnded`. If the run ended without this event, the summary is computed from the results that were counted
  /// so far.
  var summary: RunSummary {
    if let ended { return ended }
    var summary = counted
    summary.wallTime = lastTime
    summary.earlyEnd = interruption.map { EarlyEnd(.interrupt, $0) } ?? EarlyEnd(.other, "the run broke off")
    return summary
  }

  /// Returns the duration of a result. A result of a load test represents all results of its step, and has the median of their durations,
  /// which is known once the run has ended.
  func duration(of result: StepResult) -> Duration { ended?.load?.medianDuration(of: result.step.index) ?? result.duration }

  /// Creates a result with the outcome `not run` for each step that has no result, and adds these results to the counts.
  mutating func unreportedResults() -> [StepResult] {
    var results: [StepResult] = []
    for (index, step) in steps.enumerated() where !isReported[index] {
      var result = StepResult(step: step, outcome: .notRun, startedAt: lastTime, endedAt: lastTime)
      result.reason = interruption.map { "the run was ended by \($0)" } ?? "the run ended before its turn"
      receive(.stepEnded(result))
      results.append(result)
    }
    return results
  }
}

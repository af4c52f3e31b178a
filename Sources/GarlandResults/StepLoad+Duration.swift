extension StepLoad {
  /// The median of the durations of the step's results; nil if no result has a duration.
  ///
  /// If the load test has a rate, a duration begins when the first request was sent, as in a run without load. Without a rate, a duration
  /// begins when the request is ready to be sent.
  package var medianDuration: Duration? {
    let durations = service ?? latency
    return durations.count > 0 ? durations.percentile(50) : nil
  }
}

extension RunLoad {
  /// Returns the median of the durations of a step's results; nil if no result has a duration.
  package func medianDuration(of step: Int) -> Duration? { steps.indices.contains(step) ? steps[step].medianDuration : nil }

  /// Returns the result that represents all results of a step, with the median of their durations. If it is the result of a single
  /// repetition, such as a sample of an error, it keeps its own duration, as its requests do.
  package func withMedianDuration(_ result: StepResult) -> StepResult {
    guard !result.isOfOneRepetition else { return result }
    var result = result
    result.endedAt = result.startedAt + (medianDuration(of: result.step.index) ?? .zero)
    return result
  }
}

extension StepResult {
  /// Whether the result of a step in a load test is that of a single repetition: it has requests, failures, or the reason of an error. If
  /// the deadline ended the step during its `delay`, the result has only the reason.
  package var isOfOneRepetition: Bool { !exchanges.isEmpty || !failures.isEmpty || (outcome.isProblem && reason != nil) }
}

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
}

extension StepLoad {
  /// The median of the durations of the step's results; nil if no result has a duration.
  ///
  /// The durations begin when the first request was sent, as the durations of a single run do. Without a rate, there is no histogram of
  /// them, and the durations begin when the request is ready to be sent.
  package var medianDuration: Duration? {
    let durations = service ?? latency
    return durations.count > 0 ? durations.percentile(50) : nil
  }
}

extension RunLoad {
  /// Returns the median of the durations of a step's results; nil if no result has a duration.
  package func medianDuration(of step: Int) -> Duration? { steps.indices.contains(step) ? steps[step].medianDuration : nil }
}

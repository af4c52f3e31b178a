/// The progress and measurements of a load test that has not ended yet.
public struct LoadProgress: Sendable {
  /// The time since the beginning of the load test.
  public var elapsed: Duration
  /// The number of repetitions of the workflow that were completed.
  public var ended: Int
  /// The number of completed repetitions with a failed step.
  public var failed: Int
  /// The number of repetitions of the workflow that began at least ``LoadSettings/lateFrom`` after their planned time.
  public var late: Int
  /// The number of repetitions of the workflow that were completed since the previous progress event, per second.
  public var perSecond: Double
  /// A histogram of the durations of all steps that have ended so far.
  public var latency: LatencyHistogram

  /// Creates the progress of a load test; every property is a parameter.
  public init(elapsed: Duration, ended: Int, failed: Int, late: Int, perSecond: Double, latency: LatencyHistogram) {
    self.elapsed = elapsed
    self.ended = ended
    self.failed = failed
    self.late = late
    self.perSecond = perSecond
    self.latency = latency
  }
}

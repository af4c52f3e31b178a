/// The figures of a run that sends load, while it does.
public struct LoadProgress: Sendable {
  /// The time since its beginning.
  public var elapsed: Duration
  /// How many repetitions have begun, and ended, and ended with a failure.
  public var begun: Int
  /// See ``begun``.
  public var ended: Int
  /// See ``begun``.
  public var failed: Int
  /// How many began late.
  public var late: Int
  /// How many requests were sent.
  public var requests: Int
  /// How many repetitions have ended in a second, since the figures before these.
  public var perSecond: Double
  /// The times of all steps so far.
  public var latency: LatencyHistogram

  /// Creates figures; every property is a parameter.
  public init(
    elapsed: Duration, begun: Int, ended: Int, failed: Int, late: Int, requests: Int, perSecond: Double, latency: LatencyHistogram
  ) {
    self.elapsed = elapsed
    self.begun = begun
    self.ended = ended
    self.failed = failed
    self.late = late
    self.requests = requests
    self.perSecond = perSecond
    self.latency = latency
  }
}

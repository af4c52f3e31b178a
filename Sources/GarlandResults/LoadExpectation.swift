/// A limit for a quantity that a load test measures, such as `p95 < 300ms` or `login.errors < 1%`.
public struct LoadExpectation: Sendable, Hashable {
  /// The measured quantity that an expectation limits.
  enum Metric: Sendable, Hashable {
    /// A percentile: the duration that the given percentage of the results does not exceed.
    case percentile(Double)
    case min, mean, max
    /// The number of results that failed; if the limit is a percentage, the percentage of results that failed. Failures that
    /// `allow_failure` or a quarantine permits are not included.
    case errors
    /// The number of results per second. For the whole run, it is the number of completed repetitions per second.
    case rate
    /// The number of repetitions that began later than planned, or their percentage of all repetitions.
    case late
  }

  /// The operator with which the measured value is compared with the limit, such as `<`.
  enum Comparison: String, Sendable, Hashable, CaseIterable {
    case less = "<"
    case atMost = "<="
    case more = ">"
    case atLeast = ">="
  }

  /// The limit for the measured quantity: a number and its unit.
  enum Limit: Sendable, Hashable {
    case time(Duration)
    case count(Double)
    case percent(Double)
    case perSecond(Double)
  }

  /// The text of the expectation as the user wrote it.
  public let text: String
  /// The index of the step in the plan; nil for an expectation of the run as a whole.
  let step: Int?
  let metric: Metric
  let comparison: Comparison
  let limit: Limit

  /// Whether the expectation permits failures if it is met: it is an upper bound of the number of failures.
  var permitsFailures: Bool { metric == .errors && (comparison == .less || comparison == .atMost) }

  /// Returns whether the load test meets the expectation. False if the metric was never measured.
  public func isMet(by load: RunLoad) -> Bool {
    guard let actual = actual(in: load) else { return false }
    let limit =
      switch limit {
      case .time(let time): time / .microseconds(1)
      case .count(let number), .percent(let number), .perSecond(let number): number
      }
    return switch comparison {
    case .less: actual < limit
    case .atMost: actual <= limit
    case .more: actual > limit
    case .atLeast: actual >= limit
    }
  }

  /// Returns the measured value for the comparison with the limit: a time in microseconds, a number, or a percentage if the limit is in per
  /// cent. Returns nil if nothing was measured.
  func actual(in load: RunLoad) -> Double? {
    guard let step else { return actual(load, load.latency, ended: load.steps.reduce(0) { $0 + $1.ended }, load.ended) }
    guard load.steps.indices.contains(step) else { return nil }
    let own = load.steps[step]
    return actual(load, own.latency, ended: own.ended, own.ended)
  }

  private func actual(_ load: RunLoad, _ latency: LatencyHistogram, ended: Int, _ counted: Int) -> Double? {
    func time(_ duration: Duration) -> Double? { latency.count == 0 ? nil : duration / .microseconds(1) }
    func part(_ count: Int, of whole: Int) -> Double? {
      guard case .percent = limit else { return Double(count) }
      return whole == 0 ? nil : Double(count) * 100 / Double(whole)
    }
    switch metric {
    case .percentile(let percent): return time(latency.percentile(percent))
    case .min: return time(latency.least)
    case .mean: return time(latency.mean)
    case .max: return time(latency.most)
    case .errors: return part(step.map { load.steps[$0].countedFailures } ?? load.countedFailures, of: ended)
    case .rate: return load.perSecond(counted)
    // Without a rate, no repetition has a planned time.
    case .late: return load.settings.rate == nil ? nil : part(load.late, of: load.begun)
    }
  }
}

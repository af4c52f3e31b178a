/// The measurements of one step in a load test.
public struct StepLoad: Sendable {
  /// Whether `allow_failure` or a quarantine permits failures of the step. Such failures are not part of ``countedFailures``.
  public var isFailureAllowed = false
  /// The number of results by outcome.
  public var counts: [Outcome: Int] = [:]
  /// The number of errors by kind, such as `timeout`.
  public var errors: [String: Int] = [:]
  /// The number of requests that the step sent, including redirects and repeated attempts.
  public var requests = 0
  /// A histogram of the durations of the step's results. A duration begins when the request is ready to be sent, with one exception.
  ///
  /// If the load test has a rate (``LoadSettings/rate``), and the step waits for no other step, the duration begins at the planned start of
  /// the repetition.
  public var latency = LatencyHistogram()
  /// A histogram of the durations of the step's results. Each duration begins when the first request was sent, even if the request was
  /// planned for an earlier time. Nil if the load test has no rate.
  public var service: LatencyHistogram?
  /// A few results that did not pass, at most one for each kind of error.
  public var samples: [StepResult] = []

  /// Creates the measurements of a step, which contain no results yet.
  public init() {}

  /// The maximum number of kinds of errors that are counted separately. This is also the maximum number of results in ``samples``.
  public static let mostKinds = 20
  /// The name under which errors of further kinds are counted together, when errors of ``mostKinds`` different kinds have already occurred.
  static let otherKinds = "other errors"

  /// The number of results of steps that ran. Results of steps that were skipped, blocked or not run are not included.
  public var ended: Int { counts.reduce(0) { $0 + ($1.key == .passed || $1.key.isProblem ? $1.value : 0) } }

  /// The number of results that failed, including permitted failures.
  public var failed: Int { counts.reduce(0) { $0 + ($1.key.isProblem ? $1.value : 0) } }

  /// The number of results that failed and count as errors of the load test: 0 if ``isFailureAllowed`` is true.
  var countedFailures: Int { isFailureAllowed ? 0 : failed }

  /// The kinds of errors, the most frequent first.
  public var rankedErrors: [(kind: String, count: Int)] {
    errors.map { (kind: $0.key, count: $0.value) }.sorted { ($1.count, $0.kind) < ($0.count, $1.kind) }
  }

  /// Counts one or several errors of a kind.
  public mutating func countError(_ kind: String, _ count: Int = 1) {
    errors[errors[kind] != nil || errors.count < Self.mostKinds ? kind : Self.otherKinds, default: 0] += count
  }

  /// Adds the measurements of the same step on another machine that shared the load.
  mutating func merge(_ other: StepLoad) {
    for (outcome, count) in other.counts { counts[outcome, default: 0] += count }
    for (kind, count) in other.rankedErrors { countError(kind, count) }
    requests += other.requests
    latency.merge(other.latency)
    if let more = other.service {
      var own = service ?? LatencyHistogram()
      own.merge(more)
      service = own
    }
    let kinds = Set(samples.map(Self.kind))
    samples = Array((samples + other.samples.filter { !kinds.contains(Self.kind(of: $0)) }).prefix(Self.mostKinds))
  }

  /// Returns the kind of a result's error, such as `status 503`, by which errors are counted. The kind is `deadline` if the deadline of the
  /// run has ended the step.
  public static func kind(of result: StepResult) -> String {
    if result.isCutOff { return "deadline" }
    guard let failure = result.failures.first else { return result.outcome.rawValue }
    switch failure.kind {
    case .transport: return failure.errorKind ?? "transport"
    case .expectation where failure.subject == "status":
      return result.exchanges.last?.hops.last?.status.map { "status \($0)" } ?? "status"
    case .expectation: return "expect \(failure.subject)"
    case .extraction: return failure.subject
    case .value: return "value \(failure.subject)"
    case .file: return "file \(failure.subject)"
    }
  }
}

/// The figures of one step in a run that sends load.
public struct StepLoad: Sendable {
  /// The step's index in the plan.
  public let step: Int
  /// How many results there were by outcome.
  public var counts: [Outcome: Int] = [:]
  /// How often each kind of error occurred.
  public var errors: [String: Int] = [:]
  /// The requests that were sent for it, with hops and attempts.
  public var requests = 0
  /// The times from when each could have been sent until its end. With a rate, those of steps that wait for no other count from the time at
  /// which the repetition should have begun.
  public var latency = LatencyHistogram()
  /// The times from when each was sent until its end; nil without a rate.
  public var service: LatencyHistogram?
  /// A few results that did not pass, at most one of each kind of error.
  public var samples: [StepResult] = []

  /// - Parameter step: the step's index in the plan.
  public init(step: Int) { self.step = step }

  /// The most kinds of errors that are counted by themselves, and the most samples.
  public static let mostKinds = 20
  /// The kind of all errors beyond.
  public static let otherKinds = "other errors"

  /// How many results sent something: all but those that were skipped, blocked or not run.
  public var ended: Int { counts.reduce(0) { $0 + ($1.key == .passed || $1.key.isProblem ? $1.value : 0) } }

  /// How many results failed.
  public var failed: Int { counts.reduce(0) { $0 + ($1.key.isProblem ? $1.value : 0) } }

  /// The kinds of errors, the most frequent first.
  public var rankedErrors: [(kind: String, count: Int)] {
    errors.map { (kind: $0.key, count: $0.value) }.sorted { ($1.count, $0.kind) < ($0.count, $1.kind) }
  }

  /// Counts an error, or several.
  public mutating func countError(_ kind: String, _ count: Int = 1) {
    errors[errors[kind] != nil || errors.count < Self.mostKinds ? kind : Self.otherKinds, default: 0] += count
  }

  /// Adds the figures of the step in another run.
  public mutating func merge(_ other: StepLoad) {
    for (outcome, count) in other.counts { counts[outcome, default: 0] += count }
    for (kind, count) in other.rankedErrors { countError(kind, count) }
    requests += other.requests
    latency.merge(other.latency)
    if let more = other.service {
      var own = service ?? LatencyHistogram()
      own.merge(more)
      service = own
    }
    samples = Array((samples + other.samples).prefix(Self.mostKinds))
  }
}

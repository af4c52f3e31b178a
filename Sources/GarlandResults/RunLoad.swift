/// The figures of a run that sent load.
public struct RunLoad: Sendable {
  /// How it was sent.
  public var settings: LoadSettings
  /// How many repetitions began.
  public var begun = 0
  /// How many ended, and how many of them with a step that failed.
  public var ended = 0
  /// See ``ended``.
  public var failed = 0
  /// How many began late: ``LoadSettings/lateFrom``.
  public var late = 0
  /// By how much the latest of them was late.
  public var latest = Duration.zero
  /// The time from the first beginning to the last end.
  public var elapsed = Duration.zero
  /// The times of whole repetitions; with a rate, from the time at which each should have begun.
  public var repetition = LatencyHistogram()
  /// The figures of each step, by its index.
  public var steps: [StepLoad]
  /// The expectations of the figures.
  public var expectations: [LoadExpectation] = []

  /// - Parameters:
  ///   - settings: how load is sent.
  ///   - stepCount: how many steps the plan has.
  public init(_ settings: LoadSettings, stepCount: Int) {
    self.settings = settings
    steps = (0..<stepCount).map(StepLoad.init)
    if settings.rate != nil { for index in steps.indices { steps[index].service = LatencyHistogram() } }
  }

  /// The times of all steps together.
  public var latency: LatencyHistogram {
    steps.reduce(into: LatencyHistogram()) { $0.merge($1.latency) }
  }

  /// The requests of all steps.
  public var requests: Int { steps.reduce(0) { $0 + $1.requests } }

  /// How many of a number there were in a second.
  public func perSecond(_ count: Int) -> Double {
    let (seconds, attoseconds) = elapsed.components
    let time = Double(seconds) + Double(attoseconds) / 1e18
    return time > 0 ? Double(count) / time : 0
  }

  /// Whether all that is expected holds.
  public var meetsExpectations: Bool { expectations.allSatisfy { $0.isMet(by: self) } }

  /// The outcome of a step as a whole: failures that an expectation about errors permits are none.
  public func outcome(of step: Int) -> Outcome {
    let load = steps[step]
    let permitting = expectations.filter { $0.isAboutErrors && ($0.step == nil || $0.step == step) }
    let isPermitted = !permitting.isEmpty && permitting.allSatisfy { $0.isMet(by: self) }
    for outcome in [Outcome.failed, .error, .unreachable] where load.counts[outcome, default: 0] > 0 && !isPermitted { return outcome }
    for outcome in [Outcome.passed, .failed, .error, .unreachable] where load.counts[outcome, default: 0] > 0 { return .passed }
    return [Outcome.blocked, .skipped].first { load.counts[$0, default: 0] > 0 } ?? .notRun
  }

  /// Adds the figures of a machine that shared the load. Its steps have the same indexes.
  public mutating func merge(_ other: RunLoad) {
    settings.users += other.settings.users
    settings.rate = settings.rate.flatMap { own in other.settings.rate.map { own + $0 } }
    settings.repetitions = settings.repetitions.flatMap { own in other.settings.repetitions.map { own + $0 } }
    begun += other.begun
    ended += other.ended
    failed += other.failed
    late += other.late
    latest = max(latest, other.latest)
    repetition.merge(other.repetition)
    for (index, step) in other.steps.enumerated() where steps.indices.contains(index) { steps[index].merge(step) }
  }
}

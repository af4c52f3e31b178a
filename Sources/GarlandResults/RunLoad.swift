/// The measurements of a load test.
public struct RunLoad: Sendable {
  /// The settings of the load test.
  public var settings: LoadSettings
  /// The number of repetitions that began.
  public var begun = 0
  /// The number of repetitions that were completed. Repetitions that were cancelled are not included.
  public var ended = 0
  /// The number of completed repetitions with a failed step.
  public var failed = 0
  /// The number of repetitions that began at least ``LoadSettings/lateFrom`` after their planned time.
  public var late = 0
  /// The longest delay with which a repetition began, relative to its planned time.
  public var latest = Duration.zero
  /// The time from the beginning of the first repetition to the end of the last one, which may be a cancelled repetition.
  public var elapsed = Duration.zero
  /// A histogram of the durations of completed repetitions. If the load test has a rate (``LoadSettings/rate``), each duration is measured
  /// from the planned start of the repetition.
  public var repetition = LatencyHistogram()
  /// The measurements of each step, by the index of the step.
  public var steps: [StepLoad]
  /// The limits that the measurements must meet, such as `p95 < 300ms`.
  public var expectations: [LoadExpectation] = []

  /// Creates the measurements of a load test that has not begun.
  ///
  /// - Parameters:
  ///   - settings: the settings with which the load is sent.
  ///   - stepCount: the number of steps in the plan.
  public init(_ settings: LoadSettings, stepCount: Int) {
    self.settings = settings
    steps = [StepLoad](repeating: StepLoad(), count: stepCount)
    if settings.rate != nil { for index in steps.indices { steps[index].service = LatencyHistogram() } }
  }

  /// The histograms of all steps (``StepLoad/latency``), merged into one.
  public var latency: LatencyHistogram {
    steps.reduce(into: LatencyHistogram()) { $0.merge($1.latency) }
  }

  /// The number of repetitions that an interrupt or the deadline has cancelled. The value is correct after the load test has ended.
  public var cancelled: Int { max(0, begun - ended) }

  /// The number of requests that all steps sent.
  public var requests: Int { steps.reduce(0) { $0 + $1.requests } }

  /// The number of failed results of all steps, without the permitted failures of ``StepLoad/isFailureAllowed``.
  public var countedFailures: Int { steps.reduce(0) { $0 + $1.countedFailures } }

  /// Divides a number of events during the load test by the duration of the test, and returns the number per second.
  public func perSecond(_ count: Int) -> Double {
    let (seconds, attoseconds) = elapsed.components
    let time = Double(seconds) + Double(attoseconds) / 1e18
    return time > 0 ? min(Self.mostPerSecond, Double(count) / time) : 0
  }

  /// The largest rate that ``perSecond(_:)`` returns. No real load test reaches this rate, but a report may contain invented numbers.
  package static let mostPerSecond = 1e15

  /// Whether the load test meets all expectations.
  public var meetsExpectations: Bool { expectations.allSatisfy { $0.isMet(by: self) } }

  /// Returns the outcome of a step in the whole load test: its most severe outcome.
  public func outcome(of step: Int) -> Outcome {
    let counts = steps[step].counts
    return [Outcome.failed, .error, .unreachable, .passed, .blocked, .skipped].first { counts[$0, default: 0] > 0 } ?? .notRun
  }

  /// Returns whether failures of a step do not fail the run. They are permitted in two cases:
  ///
  /// - The step has `allow_failure`, or is in quarantine.
  /// - At least one expectation limits the errors of the step or of all steps, and all such expectations are met.
  public func allowsFailures(of step: Int) -> Bool {
    guard !steps[step].isFailureAllowed, steps[step].failed > 0 else { return steps[step].isFailureAllowed }
    let permitting = expectations.filter { $0.permitsFailures && ($0.step == nil || $0.step == step) }
    return !permitting.isEmpty && permitting.allSatisfy { $0.isMet(by: self) }
  }

  /// Adds the measurements of another machine that shared the load. The indexes of steps must be the same on both machines.
  public mutating func merge(_ other: RunLoad) {
    settings.users += other.settings.users
    settings.rate = settings.rate.flatMap { own in other.settings.rate.map { own + $0 } }
    // The user may choose any number of repetitions, such as `Int.max` for a load that ends after a time.
    settings.repetitions = settings.repetitions.flatMap { own in other.settings.repetitions.map { min(own, .max - $0) + $0 } }
    begun += other.begun
    ended += other.ended
    failed += other.failed
    late += other.late
    latest = max(latest, other.latest)
    repetition.merge(other.repetition)
    for (index, step) in other.steps.enumerated() where steps.indices.contains(index) { steps[index].merge(step) }
  }
}

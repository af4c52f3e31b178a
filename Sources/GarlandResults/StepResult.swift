import GarlandDiagnostics

/// What became of one step: everything a report may tell about it.
public struct StepResult: Sendable {
  /// Which step.
  public var step: StepIdentity
  /// Which iteration of a loop, as it is shown (`tenant=acme`); nil without a loop.
  public var iteration: String?
  /// How it ended.
  public var outcome: Outcome
  /// Whether `allow_failure` counts a problem apart.
  public var isFailureAllowed: Bool
  /// Why it was skipped, blocked or not run, or what went wrong in transit: one line.
  public var reason: String?
  /// The steps that blocked it.
  public var blockedBy: [StepIdentity]
  /// Everything that did not hold, in document order.
  public var failures: [CheckFailure]
  /// How many expectations were judged, implicit ones included.
  public var checkCount: Int
  /// Every request that was sent for it, in order: attempts of a retry, hops of a redirect are inside.
  public var exchanges: [Exchange]
  /// When it became ready, started and ended, since the run's start. Started and ended are equal for a step that sent nothing.
  public var readyAt: Duration
  /// See `readyAt`.
  public var startedAt: Duration
  /// See `readyAt`.
  public var endedAt: Duration
  /// What it extracted, by name, for `--verbose` and reports, as JSON text.
  public var extracted: [(name: String, value: String)]

  /// A result without failures and exchanges.
  public init(step: StepIdentity, outcome: Outcome, startedAt: Duration, endedAt: Duration) {
    self.step = step
    self.outcome = outcome
    self.startedAt = startedAt
    self.endedAt = endedAt
    readyAt = startedAt
    isFailureAllowed = false
    blockedBy = []
    failures = []
    checkCount = 0
    exchanges = []
    extracted = []
  }

  /// From start to end.
  public var duration: Duration { endedAt - startedAt }
}

import GarlandDiagnostics

/// What became of one step, or of one iteration of it: everything a report may tell about it.
public struct StepResult: Sendable {
  /// Which step.
  public var step: StepIdentity
  /// Which iteration of a loop, as it is shown (`tenant=acme`); nil without a loop.
  public var iteration: String?
  /// The iteration's place in the loop, from 0; nil without a loop. Reports put iterations back in this order.
  public var iterationIndex: Int?
  /// Whether the step is done with this result. False while further iterations of the same step are to come. Default: true.
  public var endsStep: Bool
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
  /// How many requests were sent beside those in `exchanges`: of a step that sends thousands only the first and the last are kept. Default: 0.
  public var omittedRequests: Int
  /// How many items of its loop it stands for: those that were not begun when the run was stopped are told of together. Default: 1.
  public var itemCount: Int
  /// Those of the step itself, without what was sent for a token.
  public var ownExchanges: some BidirectionalCollection<Exchange> { exchanges.lazy.filter { !$0.isForToken } }
  /// When its dependencies were done, since the run's start.
  public var readyAt: Duration
  /// When its first transfer began, since the run's start.
  public var startedAt: Duration
  /// When it ended, since the run's start. Equal to `startedAt` for a step that sent nothing.
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
    endsStep = true
    isFailureAllowed = false
    blockedBy = []
    failures = []
    checkCount = 0
    exchanges = []
    omittedRequests = 0
    itemCount = 1
    extracted = []
  }

  /// From start to end.
  public var duration: Duration { endedAt - startedAt }
}

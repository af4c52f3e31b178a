import GarlandDiagnostics

/// What became of one step, or of one iteration of it: everything a report may tell about it.
public struct StepResult: Sendable {
  /// All of it.
  ///
  /// `@unchecked Sendable`: see ``Exchange``, of which the same holds.
  @usableFromInline final class Storage: @unchecked Sendable {
    @usableFromInline var step: StepIdentity
    @usableFromInline var iteration: String?
    @usableFromInline var iterationIndex: Int?
    @usableFromInline var endsStep = true
    @usableFromInline var outcome: Outcome
    @usableFromInline var isFailureAllowed = false
    @usableFromInline var reason: String?
    @usableFromInline var blockedBy: [StepIdentity] = []
    @usableFromInline var failures: [CheckFailure] = []
    @usableFromInline var checkCount = 0
    @usableFromInline var exchanges: [Exchange] = []
    @usableFromInline var omittedRequests = 0
    @usableFromInline var itemCount = 1
    @usableFromInline var readyAt: Duration
    @usableFromInline var startedAt: Duration
    @usableFromInline var endedAt: Duration
    @usableFromInline var extracted: [(name: String, value: String)] = []

    init(step: StepIdentity, outcome: Outcome, startedAt: Duration, endedAt: Duration) {
      self.step = step
      self.outcome = outcome
      self.startedAt = startedAt
      self.endedAt = endedAt
      readyAt = startedAt
    }

    @usableFromInline init(_ other: Storage) {
      step = other.step
      iteration = other.iteration
      iterationIndex = other.iterationIndex
      endsStep = other.endsStep
      outcome = other.outcome
      isFailureAllowed = other.isFailureAllowed
      reason = other.reason
      blockedBy = other.blockedBy
      failures = other.failures
      checkCount = other.checkCount
      exchanges = other.exchanges
      omittedRequests = other.omittedRequests
      itemCount = other.itemCount
      readyAt = other.readyAt
      startedAt = other.startedAt
      endedAt = other.endedAt
      extracted = other.extracted
    }
  }

  /// Behind one reference: what a run tells passes through many hands.
  @usableFromInline var storage: Storage

  @inlinable mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage) }
  }

  /// Which step.
  @inlinable public var step: StepIdentity {
    get { storage.step }
    _modify {
      makeUnique()
      yield &storage.step
    }
  }
  /// Which iteration of a loop, as it is shown (`tenant=acme`); nil without a loop.
  @inlinable public var iteration: String? {
    get { storage.iteration }
    _modify {
      makeUnique()
      yield &storage.iteration
    }
  }
  /// The iteration's place in the loop, from 0; nil without a loop. Reports put iterations back in this order.
  @inlinable public var iterationIndex: Int? {
    get { storage.iterationIndex }
    _modify {
      makeUnique()
      yield &storage.iterationIndex
    }
  }
  /// Whether the step is done with this result. False while further iterations of the same step are to come. Default: true.
  @inlinable public var endsStep: Bool {
    get { storage.endsStep }
    _modify {
      makeUnique()
      yield &storage.endsStep
    }
  }
  /// How it ended.
  @inlinable public var outcome: Outcome {
    get { storage.outcome }
    _modify {
      makeUnique()
      yield &storage.outcome
    }
  }
  /// Whether `allow_failure` counts a problem apart.
  @inlinable public var isFailureAllowed: Bool {
    get { storage.isFailureAllowed }
    _modify {
      makeUnique()
      yield &storage.isFailureAllowed
    }
  }
  /// Why it was skipped, blocked or not run, or what went wrong in transit: one line.
  @inlinable public var reason: String? {
    get { storage.reason }
    _modify {
      makeUnique()
      yield &storage.reason
    }
  }
  /// The steps that blocked it.
  @inlinable public var blockedBy: [StepIdentity] {
    get { storage.blockedBy }
    _modify {
      makeUnique()
      yield &storage.blockedBy
    }
  }
  /// Everything that did not hold, in document order.
  @inlinable public var failures: [CheckFailure] {
    get { storage.failures }
    _modify {
      makeUnique()
      yield &storage.failures
    }
  }
  /// How many expectations were judged, implicit ones included.
  @inlinable public var checkCount: Int {
    get { storage.checkCount }
    _modify {
      makeUnique()
      yield &storage.checkCount
    }
  }
  /// Every request that was sent for it, in order: attempts of a retry, hops of a redirect are inside.
  @inlinable public var exchanges: [Exchange] {
    get { storage.exchanges }
    _modify {
      makeUnique()
      yield &storage.exchanges
    }
  }
  /// How many requests were sent beside those in `exchanges`: of a step that sends thousands only the first and the last are kept. Default: 0.
  @inlinable public var omittedRequests: Int {
    get { storage.omittedRequests }
    _modify {
      makeUnique()
      yield &storage.omittedRequests
    }
  }
  /// How many items of its loop it stands for: those that were not begun when the run was stopped are told of together. Default: 1.
  @inlinable public var itemCount: Int {
    get { storage.itemCount }
    _modify {
      makeUnique()
      yield &storage.itemCount
    }
  }
  /// Those of the step itself, without what was sent for a token.
  public var ownExchanges: some BidirectionalCollection<Exchange> { exchanges.lazy.filter { !$0.isForToken } }
  /// The last of those.
  package var lastOwnExchange: Exchange? {
    for index in storage.exchanges.indices.reversed() where !storage.exchanges[index].isForToken { return storage.exchanges[index] }
    return nil
  }
  /// When its dependencies were done, since the run's start.
  @inlinable public var readyAt: Duration {
    get { storage.readyAt }
    _modify {
      makeUnique()
      yield &storage.readyAt
    }
  }
  /// When its first transfer began, since the run's start.
  @inlinable public var startedAt: Duration {
    get { storage.startedAt }
    _modify {
      makeUnique()
      yield &storage.startedAt
    }
  }
  /// When it ended, since the run's start. Equal to `startedAt` for a step that sent nothing.
  @inlinable public var endedAt: Duration {
    get { storage.endedAt }
    _modify {
      makeUnique()
      yield &storage.endedAt
    }
  }
  /// What it extracted, by name, for `--verbose` and reports, as JSON text.
  @inlinable public var extracted: [(name: String, value: String)] {
    get { storage.extracted }
    _modify {
      makeUnique()
      yield &storage.extracted
    }
  }

  /// A result without failures and exchanges.
  public init(step: StepIdentity, outcome: Outcome, startedAt: Duration, endedAt: Duration) {
    storage = Storage(step: step, outcome: outcome, startedAt: startedAt, endedAt: endedAt)
  }

  /// From start to end.
  public var duration: Duration { storage.endedAt - storage.startedAt }
}

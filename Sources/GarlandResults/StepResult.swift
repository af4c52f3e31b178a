import GarlandJSON
import GarlandText

/// The result of one step, or of one iteration of a step. It contains all facts that a report may show.
public struct StepResult: Sendable {
  /// The outcome of a step, whether its failure is allowed, and whether the run's deadline stopped the step.
  @usableFromInline struct Verdict: Sendable {
    @usableFromInline var outcome: Outcome
    @usableFromInline var isFailureAllowed = false
    @usableFromInline var isCutOff = false
  }

  @usableFromInline struct Values: Sendable {
    @usableFromInline var step: StepIdentity
    @usableFromInline var iteration: String?
    @usableFromInline var iterationIndex: Int?
    @usableFromInline var endsStep = true
    @usableFromInline var verdict: Verdict
    @usableFromInline var reason: String?
    @usableFromInline var blockedBy: [StepIdentity] = []
    @usableFromInline var failures: [CheckFailure] = []
    @usableFromInline var checkCount = 0
    @usableFromInline var found: [String?] = []
    @usableFromInline var exchanges: [Exchange] = []
    @usableFromInline var omittedRequests = 0
    @usableFromInline var itemCount = 1
    @usableFromInline var readyAt: Duration
    @usableFromInline var delay: Duration = .zero
    @usableFromInline var startedAt: Duration
    @usableFromInline var endedAt: Duration
    @usableFromInline var extracted: [(name: String, value: String)] = []
    @usableFromInline var earlier: [StepResult] = []

    init(step: StepIdentity, outcome: Outcome, startedAt: Duration, endedAt: Duration) {
      self.step = step
      verdict = Verdict(outcome: outcome)
      self.startedAt = startedAt
      self.endedAt = endedAt
      readyAt = startedAt
    }
  }

  /// The storage of all properties, shared by all copies until one is changed. Events of a run are copied often, and copying a single
  /// reference is fast.
  @usableFromInline var storage: CopyOnWrite<Values>

  /// The step that has this result.
  @inlinable public var step: StepIdentity {
    get { storage.value.step }
    _modify { yield &storage.value.step }
  }
  /// The displayed name of a loop's iteration, such as `tenant=acme`; nil without a loop.
  @inlinable public var iteration: String? {
    get { storage.value.iteration }
    _modify { yield &storage.value.iteration }
  }
  /// The iteration's position in the loop, from 0; nil without a loop. Reports sort iterations by this position.
  @inlinable public var iterationIndex: Int? {
    get { storage.value.iterationIndex }
    _modify { yield &storage.value.iterationIndex }
  }
  /// Whether this is the last result of the step. False while further iterations are expected.
  /// Default: true.
  @inlinable public var endsStep: Bool {
    get { storage.value.endsStep }
    _modify { yield &storage.value.endsStep }
  }
  /// The outcome of the step or iteration.
  @inlinable public var outcome: Outcome {
    get { storage.value.verdict.outcome }
    _modify { yield &storage.value.verdict.outcome }
  }
  /// Whether `allow_failure` permits a failure of the step.
  @inlinable public var isFailureAllowed: Bool {
    get { storage.value.verdict.isFailureAllowed }
    _modify { yield &storage.value.verdict.isFailureAllowed }
  }
  /// Whether the step ended with an error after the run's deadline had stopped it, so that the error says nothing about the server.
  /// Default: false.
  @inlinable public var isCutOff: Bool {
    get { storage.value.verdict.isCutOff }
    _modify { yield &storage.value.verdict.isCutOff }
  }
  /// The reason, in one line, why the step was skipped, blocked or not run, or why its transfer failed; nil for other results.
  @inlinable public var reason: String? {
    get { storage.value.reason }
    _modify { yield &storage.value.reason }
  }
  /// The steps that prevented this step from running, for example because they failed; empty unless this step is blocked.
  @inlinable public var blockedBy: [StepIdentity] {
    get { storage.value.blockedBy }
    _modify { yield &storage.value.blockedBy }
  }
  /// The unmet expectations and other failures of the step, in document order.
  @inlinable public var failures: [CheckFailure] {
    get { storage.value.failures }
    _modify { yield &storage.value.failures }
  }
  /// The number of expectations that were checked, including default expectations.
  @inlinable public var checkCount: Int {
    get { storage.value.checkCount }
    _modify { yield &storage.value.checkCount }
  }
  /// For each expectation of ``StepDefinition/checks``, the value that was compared, in short form.
  ///
  /// An element is nil if its expectation found no value or was not checked. The list is empty unless an observer requests extracts
  /// (``RunDetail/extracts``).
  @inlinable public var found: [String?] {
    get { storage.value.found }
    _modify { yield &storage.value.found }
  }
  /// The requests that were sent, in order, including all attempts of a retry. A request after a redirect has no exchange of its own: it is
  /// a hop within the exchange of the first request.
  @inlinable public var exchanges: [Exchange] {
    get { storage.value.exchanges }
    _modify { yield &storage.value.exchanges }
  }
  /// The number of requests that were sent but are not in `exchanges`. For a step with thousands of requests, only the first and the last
  /// exchanges are kept. Default: 0.
  @inlinable public var omittedRequests: Int {
    get { storage.value.omittedRequests }
    _modify { yield &storage.value.omittedRequests }
  }
  /// The number of requests that led to this result: the sum of ``Exchange/requestCount`` over ``exchanges``, plus ``omittedRequests``.
  /// Requests for a token count. Requests of ``earlier`` results do not count. All reports show this number.
  public var requestCount: Int { storage.value.exchanges.reduce(storage.value.omittedRequests) { $0 + $1.requestCount } }
  /// The number of loop items that this result represents. Items that had not begun when the run stopped share one result. Default: 1.
  @inlinable public var itemCount: Int {
    get { storage.value.itemCount }
    _modify { yield &storage.value.itemCount }
  }
  /// The exchanges of the step itself, without the exchanges that obtained a token.
  public var ownExchanges: some BidirectionalCollection<Exchange> { exchanges.lazy.filter { !$0.isForToken } }
  /// The last exchange of the step itself, without the exchanges that obtained a token.
  package var lastOwnExchange: Exchange? {
    for index in storage.value.exchanges.indices.reversed() where !storage.value.exchanges[index].isForToken {
      return storage.value.exchanges[index]
    }
    return nil
  }
  /// The time when all dependencies of the step had ended, counted from the run's start.
  @inlinable public var readyAt: Duration {
    get { storage.value.readyAt }
    _modify { yield &storage.value.readyAt }
  }
  /// The time that the step spent on its `delay` and on fetching tokens, between ``readyAt`` and the request for a transfer slot.
  /// Default: 0.
  @inlinable public var delay: Duration {
    get { storage.value.delay }
    _modify { yield &storage.value.delay }
  }
  /// The time when the step's first transfer began, counted from the run's start.
  @inlinable public var startedAt: Duration {
    get { storage.value.startedAt }
    _modify { yield &storage.value.startedAt }
  }
  /// The time when the step ended, counted from the run's start. It is equal to `startedAt` for a step that sent no request.
  @inlinable public var endedAt: Duration {
    get { storage.value.endedAt }
    _modify { yield &storage.value.endedAt }
  }
  /// The extracted values by name, as JSON text, for `--verbose` and reports.
  @inlinable public var extracted: [(name: String, value: String)] {
    get { storage.value.extracted }
    _modify { yield &storage.value.extracted }
  }

  /// The failed results that the step had before it ran again (`--rerun-failed`), oldest first.
  @inlinable public var earlier: [StepResult] {
    get { storage.value.earlier }
    _modify { yield &storage.value.earlier }
  }
  /// Whether the step passed after it had failed in the same run.
  public var isFlaky: Bool { storage.value.verdict.outcome == .passed && !storage.value.earlier.isEmpty }

  /// Creates a result without failures or exchanges.
  public init(step: StepIdentity, outcome: Outcome, startedAt: Duration, endedAt: Duration) {
    storage = CopyOnWrite(Values(step: step, outcome: outcome, startedAt: startedAt, endedAt: endedAt))
  }

  /// The time from the start of the step's first transfer to the end of the step.
  public var duration: Duration { storage.value.endedAt - storage.value.startedAt }
}

extension StepResult {
  /// The maximum size in bytes of an extracted value that is always shown, even if there is not enough memory for all values.
  private static let smallExtract = 4 << 10

  /// The total size in bytes of all extracted values.
  package var sizeOfExtracts: Int { extracted.reduce(0) { $0 + $1.value.utf8.count } }

  /// If memory is too short to show large extracted values, replaces each of them with a text about the lack of memory. A report that
  /// writes a value needs memory for up to four copies of the value.
  package mutating func omitExtractsWithoutRoom() {
    guard let shortage = MemorySupply.shortage(of: 4 * sizeOfExtracts) else { return }
    for index in extracted.indices where extracted[index].value.utf8.count > Self.smallExtract {
      extracted[index].value = Self.omitted(because: shortage)
    }
  }

  /// Returns the JSON text that replaces an extracted value that can't be shown.
  package static func omitted(because reason: String) -> String { JSONValue.string("not shown: \(reason)").jsonText() }
}

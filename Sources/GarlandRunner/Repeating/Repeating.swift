import GarlandTransfer
import GarlandResults
import GarlandWorkflow
import HTTPTypes

/// Decides whether a step's request is sent once more: after an error or a status that says "not now", while what is polled for has not come,
/// and for the next page. A value without a clock: it is told what happened and when, in the time of its step (``StepClock``).
struct Repeating: Sendable {
  /// What a request was for, beside the first.
  enum Kind: Sendable, Hashable {
    case attempt(Int)
    case poll(Int)
    case page(Int)
  }

  /// How a poll goes on.
  struct Poll: Sendable {
    var every: Duration
    var within: Duration
    /// When the first request of it was sent.
    var began: Duration?
    /// How many responses have come.
    var count = 0
  }

  /// How pages go on.
  struct Pages: Sendable {
    /// How many are asked for at most.
    var limit: Int
    /// Whether the document says so, so that reaching it is right.
    var isLimitGiven: Bool
    /// How many have come.
    var count = 1
    /// What each of the pages before gave, one for each of ``Step/extractions``. It is put together when the last has come: once, and not for each.
    var extracted: [[Value?]] = []

    /// A page has come and there is another. Gives false if that is more than is asked for.
    mutating func turn(extracted page: [Value?]) -> Bool {
      guard count < limit else { return false }
      extracted.append(page)
      count += 1
      return true
    }
  }

  /// What is to be done after a request that failed, or was refused for now.
  enum Decision: Sendable, Equatable {
    /// The outcome stands; the words say why there was no retry, if there is anything to say.
    case stands(String?)
    /// Send it again after this time.
    case again(after: Duration, retry: Int, limit: Int)
  }

  /// The wait before the first request.
  var delay: Duration?
  var policy: RetryPolicy?
  /// Statuses that the step expects, and for which nothing is sent again.
  var poll: Poll?
  var pages: Pages?
  /// What did not hold of the response before, of those expectations that are polled for.
  var unmet: [CheckFailure] = []
  /// Why the request under way is not sent again, if it would otherwise have been.
  private(set) var refusal: RetryRefusal?
  /// How often a request was sent again after an error or status.
  private(set) var retries = 0
  /// How many requests were sent.
  private(set) var requests = 0
  /// What the request under way is for.
  private(set) var kind = Kind.attempt(1)

  /// Evaluates the settings of a step; nil if it sends one request at once.
  init?(
    _ repetition: Repetition, random: @escaping @Sendable () -> UInt64, now: @escaping @Sendable () -> Double, in context: StepContext
  ) throws(EvaluationError) {
    guard repetition !== Repetition.none else { return nil }
    delay = try repetition.delay?.resolve(in: context)
    if let settings = repetition.retry { policy = try RetryPolicy(settings, random: random, now: now, in: context) }
    if let settings = repetition.poll {
      poll = Poll(
        every: try settings.every?.resolve(in: context) ?? PollSettings.defaultPause,
        within: try settings.within?.resolve(in: context) ?? PollSettings.defaultTime)
    }
    if let pagination = repetition.pagination {
      let limit = try pagination.limit?.resolve(in: context)
      pages = Pages(limit: max(1, limit ?? Pagination.defaultLimit), isLimitGiven: limit != nil)
    }
  }

  /// A request is sent.
  mutating func sent(at now: Duration) {
    requests += 1
    if poll != nil, poll?.began == nil { poll?.began = now }
  }

  /// What the request under way is called in reports; nil for one that needs no name.
  var label: String? {
    switch kind {
    case .attempt(let number): number == 1 && poll == nil && pages == nil ? nil : number == 1 ? nil : "attempt \(number)"
    case .poll(let number): "poll \(number)"
    case .page(let number): "page \(number)"
    }
  }

  /// Whether a response is the last that is waited for: the next would come too late.
  func isLastPoll(at now: Duration) -> Bool {
    guard let poll, let began = poll.began else { return true }
    return now - began + poll.every > poll.within
  }

  /// What is left of the time that a poll may take; nil for what is no poll.
  func pollTimeLeft(at now: Duration) -> Duration? {
    guard let poll else { return nil }
    return poll.within - (now - (poll.began ?? now))
  }

  /// After an error, or a response that nobody has looked at yet.
  mutating func decide(_ attempt: RequestAttempt) -> Decision {
    guard let policy else { return .stands(nil) }
    refusal = nil
    switch policy.decide(attempt) {
    case .retryAfter(let wait):
      retries += 1
      kind = .attempt(requests + 1)
      return .again(after: wait, retry: retries, limit: policy.limit)
    case .refuse(let refusal):
      self.refusal = refusal
      return .stands(Self.words(for: refusal))
    case .retry, .doNotRetry, .fail: return .stands(nil)
    }
  }

  /// Why the status of a response is the last word; nil where the report says so anyway.
  var wordsForStatus: String? {
    switch refusal {
    case .limitReached?, nil: nil
    case .some(let refusal): Self.words(for: refusal)
    }
  }

  private static func words(for refusal: RetryRefusal) -> String {
    guard case .waitTooLong(let wait, let limit) = refusal else { return refusal.description }
    return "not retried: the server asks to come back in \(wait.inWords), more than `max_delay`, \(limit.inWords)"
  }

  /// What is polled for has not come.
  mutating func pollAgain() {
    // What was tried again for one request says nothing of the next.
    retries = 0
    poll?.count += 1
    kind = .poll((poll?.count ?? 0) + 1)
  }

  /// A page has come and there is another. Gives false if that is more than is asked for.
  mutating func turnPage(extracted: [Value?]) -> Bool {
    // In its place: a copy would cost as much as all pages before.
    guard pages?.turn(extracted: extracted) ?? false else { return false }
    kind = .page(pages?.count ?? 1)
    // What was tried again for one page says nothing of the next.
    retries = 0
    return true
  }

  /// All that was extracted, the last page's included.
  func joined(_ extracted: [Value?]) -> [Value?] {
    guard let pages, !pages.extracted.isEmpty else { return extracted }
    return Self.join(pages.extracted + CollectionOfOne(extracted))
  }

  /// What several pages gave: lists one after another; of all else the later value.
  static func join(_ pages: [[Value?]]) -> [Value?] {
    (pages.last ?? []).indices.map { column in
      var lists: [Value] = []
      var value: Value?
      for page in pages where page.indices.contains(column) {
        guard let found = page[column] else { continue }
        if found.kind != .array { lists = [] } else { lists.append(found) }
        value = found
      }
      return lists.count > 1 ? .list(of: lists.flatMap(\.elements)) : value
    }
  }
}

extension RetryPolicy {
  /// The networking core's policy with what a document says otherwise.
  init(
    _ settings: RetrySettings, random: @escaping @Sendable () -> UInt64, now: @escaping @Sendable () -> Double, in context: StepContext
  ) throws(EvaluationError) {
    self.init()
    if let limit = try settings.limit?.resolve(in: context) { self.limit = max(0, limit) }
    if let delay = try settings.delay?.resolve(in: context) { self.delay = delay }
    if let factor = try settings.factor?.resolve(in: context) { self.factor = max(1, factor) }
    if let jitter = try settings.jitter?.resolve(in: context) { self.jitter = max(0, jitter) }
    if let longest = try settings.maxDelay?.resolve(in: context) { maximumDelay = longest }
    if let patterns = settings.statuses {
      var statuses: Set<Int> = []
      for pattern in patterns {
        let pattern = try pattern.resolve(in: context)
        statuses.formUnion((100...599).filter { pattern.matches($0) })
      }
      self.statuses = statuses
    }
    if let methods = settings.methods { self.methods = Set(methods.compactMap { HTTPRequest.Method($0) }) }
    // 53 bits, the most that a Double holds exactly.
    self.random = { Double(random() >> 11) * 0x1p-53 }
    self.now = { Int64(now()) }
  }
}

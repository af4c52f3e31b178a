import GarlandTransfer
import GarlandResults
import GarlandWorkflow
import HTTPTypes

/// Decides whether a step sends another request: a retry after a temporary failure, a poll while the awaited condition is not met, or the
/// next page. This value has no clock: it receives each event with its time, as measured by the ``StepClock`` of the step.
struct Repeating: Sendable {
  /// The purpose of a request: an attempt, a poll or a page, with its number.
  enum Kind: Sendable, Hashable {
    case attempt(Int)
    case poll(Int)
    case page(Int)
  }

  /// The settings of a poll, and its progress: when it began, and how many responses it has received.
  struct Poll: Sendable {
    var every: Duration
    var within: Duration
    /// The time of the poll's first request.
    var began: Duration?
    /// The number of responses that the poll has received.
    var count = 0
  }

  /// The state of a step that reads several pages: the maximum number of pages, the number of requested pages, and the values extracted so
  /// far.
  struct Pages: Sendable {
    /// The maximum number of pages.
    var limit: Int
    /// Whether the document sets ``limit``. If true, the step does not fail if the server has more than ``limit`` pages.
    var isLimitGiven: Bool
    /// The number of pages that were requested so far.
    var count = 1
    /// The values that were extracted from each previous page, in the order of ``Step/extractions``. After the last page, the lists that an
    /// extract has found on all pages are joined into one list.
    var extracted: [[Value?]] = []

    /// Records the values that were extracted from a page, before the next page is requested. If the maximum number of pages is already
    /// reached, records nothing and returns false.
    mutating func turn(extracted page: [Value?]) -> Bool {
      guard count < limit else { return false }
      extracted.append(page)
      count += 1
      return true
    }
  }

  /// The decision whether a request is sent again after a temporary failure.
  enum Decision: Sendable, Equatable {
    /// The request is not sent again, so its outcome is final. The text explains why; nil if no explanation is needed.
    case stands(String?)
    /// The request is sent again after the given time. `retry` is the number of this retry, from 1, and `limit` the maximum number of
    /// retries.
    case again(after: Duration, retry: Int, limit: Int)
  }

  /// The pause before the step's first request.
  var delay: Duration?
  var policy: RetryPolicy?
  /// Whether the request is sent again if the response does not meet the step's expectations.
  private(set) var retriesExpectations = false
  /// Whether `retry` is set without `on`. The default conditions then decide whether the request is sent again.
  private var hasDefaultConditions = false
  var poll: Poll?
  var pages: Pages?
  /// The failures of the expectations that the poll's previous response did not meet.
  var unmet: [CheckFailure] = []
  /// The reason why the current request is not retried after a temporary failure. Nil if the request is retried, or if it had no temporary
  /// failure.
  private(set) var refusal: RetryRefusal?
  /// The number of retries after temporary failures of the current poll or page.
  private(set) var retries = 0
  /// The number of requests that the step has sent so far.
  private(set) var requests = 0
  /// The kind of the current request (an attempt, a poll or a page), with a number. The number of a poll counts only polls, and that of a
  /// page only pages. The number of an attempt counts all requests of the step.
  private(set) var kind = Kind.attempt(1)

  /// Evaluates the settings `delay`, `retry`, `poll` and `paginate` of a step. Returns nil if the step has none of them, and so sends a
  /// single request without delay.
  init?(
    _ repetition: Repetition, random: @escaping @Sendable () -> UInt64, now: @escaping @Sendable () -> Double, in context: StepContext
  ) throws(EvaluationError) {
    guard repetition !== Repetition.none else { return nil }
    delay = try repetition.delay?.resolve(in: context)
    if let settings = repetition.retry {
      policy = try RetryPolicy(settings, random: random, now: now, in: context)
      retriesExpectations = settings.conditions?.contains(.expect) ?? false
      hasDefaultConditions = settings.conditions == nil
    }
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

  /// Records that a request is sent.
  mutating func sent(at now: Duration) {
    requests += 1
    if poll != nil, poll?.began == nil { poll?.began = now }
  }

  /// The name of the current request in reports; nil if the request needs no name.
  var label: String? {
    switch kind {
    case .attempt(let number): number == 1 && poll == nil && pages == nil ? nil : number == 1 ? nil : "attempt \(number)"
    case .poll(let number): "poll \(number)"
    case .page(let number): "page \(number)"
    }
  }

  /// Returns whether no further request of the poll follows after the current response. True if the next request would begin after the time
  /// limit of the poll, and for a step that does not poll.
  func isLastPoll(at now: Duration) -> Bool {
    guard let poll, let began = poll.began else { return true }
    return now - began + poll.every > poll.within
  }

  /// Returns the remaining time of a poll; nil if the step does not poll.
  func pollTimeLeft(at now: Duration) -> Duration? {
    guard let poll else { return nil }
    return poll.within - (now - (poll.began ?? now))
  }

  /// Returns the decision whether the request is sent again after a response that does not meet the step's expectations.
  mutating func decideUnmet(_ attempt: RequestAttempt) -> Decision {
    guard var policy, retriesExpectations, poll == nil else { return .stands(nil) }
    policy.statuses = Set(100...599)
    return decide(attempt, policy)
  }

  /// Decides whether the request is sent again. This method is called after each error and each response. The expectations for a response
  /// are checked later.
  mutating func decide(_ attempt: RequestAttempt) -> Decision {
    guard let policy else { return .stands(nil) }
    return decide(attempt, policy)
  }

  private mutating func decide(_ attempt: RequestAttempt, _ policy: RetryPolicy) -> Decision {
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

  /// The text that explains in the report why a request is not sent again after a response with a temporary error status. Nil if there is
  /// nothing to explain, or if the reason is the limit of retries, which the report shows anyway.
  var wordsForStatus: String? {
    switch refusal {
    case .limitReached?, nil: nil
    case .some(let refusal): Self.words(for: refusal)
    }
  }

  /// Returns the advice to add `expect` to the key `on` of `retry`. By default, `retry` does not repeat a request whose response has the
  /// expected status but does not meet another expectation.
  ///
  /// Returns nil in three cases: the step polls, the document already sets `on`, or `retry` does not apply to this request.
  func adviceOnExpectation(_ request: TransferRequest) -> String? {
    guard let policy, policy.limit > 0, hasDefaultConditions, poll == nil, policy.methods.contains(request.method) else { return nil }
    return "`retry` does not repeat the request after a failed expectation: to repeat it, add `on: [transport, status, expect]`"
  }

  private static func words(for refusal: RetryRefusal) -> String {
    guard case .waitTooLong(let wait, let limit) = refusal else { return refusal.description }
    return "not retried: the server asks to wait \(wait.inWords), but `max_delay` is \(limit.inWords)"
  }

  /// Records that the condition of the poll is not met yet, so that the next request is another poll.
  mutating func pollAgain() {
    // The retries of one request do not count for the next.
    retries = 0
    poll?.count += 1
    kind = .poll((poll?.count ?? 0) + 1)
  }

  /// Records the values that were extracted from a page, before the next page is requested. If the maximum number of pages is already
  /// reached, records nothing and returns false.
  mutating func turnPage(extracted: [Value?]) -> Bool {
    // The value is changed in place, since a copy would contain the values of all previous pages.
    guard pages?.turn(extracted: extracted) ?? false else { return false }
    kind = .page(pages?.count ?? 1)
    // The retries of one page do not count for the next.
    retries = 0
    return true
  }

  /// Joins the extracted values of the last page, `extracted`, with those of the earlier pages. If there are no earlier pages, returns
  /// `extracted` unchanged.
  func joined(_ extracted: [Value?]) -> [Value?] {
    guard let pages, !pages.extracted.isEmpty else { return extracted }
    return Self.join(pages.extracted + CollectionOfOne(extracted))
  }

  /// Joins the values of several pages. Lists are concatenated; for other values, the value of the last page is used.
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
  /// Creates the retry policy of the networking library from the settings in a document.
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
    if let conditions = settings.conditions {
      if !conditions.contains(.transport) { errors = [] }
      if !conditions.contains(.status) { statuses = [] }
    }
    if let methods = settings.methods { self.methods = Set(methods.compactMap { HTTPRequest.Method($0) }) }
    // 53 bits are the maximum that a Double represents exactly.
    self.random = { Double(random() >> 11) * 0x1p-53 }
    self.now = { Int64(now()) }
  }
}

import HTTPTypes

/// Sends a request again where that may help and does no harm.
///
/// ```swift
/// configuration.interceptor = RetryPolicy()                 // twice, after 0.5 s and 1 s
/// session.request(url, interceptor: RetryPolicy(limit: 5))
/// ```
/// Every default has its reason:
/// - twice, because what two tries do not cure is seldom cured by a third, and whoever waits wants to know;
/// - only methods that are idempotent (RFC 9110, section 9.2.2), because nobody wants to order twice;
/// - statuses that say "not now" (408, 429, 500, 502, 503, 504) and errors of the way there and back, because what is wrong with the request itself stays wrong;
/// - longer each time, and not all at once, because a server that is down comes back under the weight of those who wait;
/// - after the time that `Retry-After` names if there is one, because the server knows best.
public struct RetryPolicy: Sendable {
  /// How often a request is sent again. Defaults to 2.
  public var limit: Int
  /// How long the first wait is. Defaults to 0.5 s.
  public var delay: Duration
  /// What the wait is multiplied by, each time. Defaults to 2.
  public var factor: Double
  /// By how much of itself a wait may become longer, by chance: 0.25 is up to a quarter. Defaults to that; 0 is not at all.
  public var jitter: Double
  /// How long a wait may be. Defaults to 60 s. A server that asks for more is not asked again.
  public var maximumDelay: Duration
  /// The methods that are sent again.
  public var methods: Set<HTTPRequest.Method>
  /// The statuses that are tried again.
  public var statuses: Set<Int>
  /// The errors that are tried again. Of time-outs those of connecting and silence are, a deadline is not.
  public var errors: Set<NetworkingError.Kind>
  /// Whether `Retry-After` counts. Defaults to true.
  public var honorsRetryAfter: Bool
  /// A number from 0 up to 1, for the jitter.
  public var random: @Sendable () -> Double
  /// The time of day in seconds since 1970, for a `Retry-After` that is a date.
  public var now: @Sendable () -> Int64

  /// GET, HEAD, OPTIONS, TRACE, PUT and DELETE.
  public static let idempotentMethods: Set<HTTPRequest.Method> = [.get, .head, .options, .trace, .put, .delete]
  /// 408, 429, 500, 502, 503 and 504.
  public static let temporaryStatuses: Set<Int> = [408, 429, 500, 502, 503, 504]
  /// The host was not reached, the connection was lost, or nothing came in time.
  public static let transportErrors: Set<NetworkingError.Kind> = [
    .resolve, .refused, .unreachable, .timeout, .proxy, .connectionLost, .truncated,
  ]

  /// A policy.
  public init(
    limit: Int = 2, delay: Duration = .milliseconds(500), factor: Double = 2, jitter: Double = 0.25, maximumDelay: Duration = .seconds(60),
    methods: Set<HTTPRequest.Method> = idempotentMethods, statuses: Set<Int> = temporaryStatuses,
    errors: Set<NetworkingError.Kind> = transportErrors, honorsRetryAfter: Bool = true,
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
    now: @escaping @Sendable () -> Int64 = SessionClock().secondsSince1970
  ) {
    self.limit = limit
    self.delay = delay
    self.factor = factor
    self.jitter = jitter
    self.maximumDelay = maximumDelay
    self.methods = methods
    self.statuses = statuses
    self.errors = errors
    self.honorsRetryAfter = honorsRetryAfter
    self.random = random
    self.now = now
  }

  /// What to do after an attempt.
  public func decide(_ attempt: RequestAttempt) -> RetryDecision {
    guard isWorthTrying(attempt) else { return .doNotRetry }
    guard methods.contains(attempt.request.method) else { return .refuse(.notIdempotent(attempt.request.method.rawValue)) }
    guard attempt.retryCount < limit else { return limit == 0 ? .doNotRetry : .refuse(.limitReached(limit)) }
    if honorsRetryAfter, let wait = RetryAfter.duration(attempt.response?.headerFields, now: now()) {
      return wait > maximumDelay ? .refuse(.waitTooLong(wait, limit: maximumDelay)) : .retryAfter(wait)
    }
    return .retryAfter(wait(before: attempt.retryCount))
  }

  /// How long to wait before the retry with this number, from 0: delay · factorⁿ, plus the jitter.
  public func wait(before retry: Int) -> Duration {
    var seconds = delay / .seconds(1)
    // Not `pow`: a limit of a million must not end in infinity.
    let maximum = maximumDelay / .seconds(1)
    var left = retry
    while left > 0, seconds < maximum, seconds > 0, factor > 1 {
      seconds *= factor
      left -= 1
    }
    return .seconds(min(seconds * (1 + jitter * random()), maximum))
  }

  private func isWorthTrying(_ attempt: RequestAttempt) -> Bool {
    if let error = attempt.error {
      if let timeout = error.reason.timeout, timeout.limit == .deadline { return false }
      if errors.contains(error.reason.kind) { return true }
      // What arrived and was not accepted is looked at below; all else is final.
      guard error.reason.kind == .validation else { return false }
    }
    return attempt.status.map { statuses.contains($0.code) } ?? false
  }
}

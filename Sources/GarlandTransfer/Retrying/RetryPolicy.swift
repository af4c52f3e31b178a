import GarlandText
import HTTPTypes

/// Retries a request if a retry may succeed and does no harm.
///
/// ```swift
/// configuration.interceptor = RetryPolicy()                 // twice, after 0.5 s and 1 s
/// session.request(url, interceptor: RetryPolicy(limit: 5))
/// ```
/// The reasons for the defaults:
/// - two retries: after more failures another attempt rarely helps, and the caller waits for the
///   result;
/// - only idempotent methods (RFC 9110, section 9.2.2): an order must not be placed twice;
/// - only temporary statuses (408, 429, 500, 502, 503, 504) and network errors: a mistake in the request
///   itself would cause the same failure again;
/// - a longer wait each time, with jitter: a recovering server fails again if all clients return at
///   once;
/// - the time in `Retry-After`, if there is one: the server knows best when it will be available.
public struct RetryPolicy: Sendable {
  /// The maximum number of retries. Defaults to 2.
  public var limit: Int
  /// The wait before the first retry. Defaults to 0.5 s.
  public var delay: Duration
  /// The factor by which each wait grows. Defaults to 2.
  public var factor: Double
  /// The maximum random time that is added to a wait, as a fraction of the wait. Defaults to 0.25, for at most a quarter of the wait; 0
  /// adds nothing.
  public var jitter: Double
  /// The maximum wait before a retry. Defaults to 60 s. If a server requires a longer wait, the request is not retried.
  public var maximumDelay: Duration
  /// The methods of the requests that may be retried. Defaults to ``idempotentMethods``.
  public var methods: Set<HTTPRequest.Method>
  /// The statuses of responses after which the request is retried. Defaults to ``temporaryStatuses``.
  public var statuses: Set<Int>
  /// The errors after which the request is retried. By default these include connect and idle timeouts; an exceeded deadline never causes a
  /// retry.
  public var errors: Set<NetworkingError.Kind>
  /// Whether the `Retry-After` field of a response determines the wait before the retry. Defaults to true.
  public var honorsRetryAfter: Bool
  /// The closure that returns a random number from 0 up to 1 for the jitter.
  public var random: @Sendable () -> Double
  /// The closure that returns the time of day in seconds since 1970, for a `Retry-After` with a date.
  public var now: @Sendable () -> Int64

  /// The idempotent methods: GET, HEAD, OPTIONS, TRACE, PUT and DELETE.
  public static let idempotentMethods: Set<HTTPRequest.Method> = [.get, .head, .options, .trace, .put, .delete]
  /// The temporary statuses: 408, 429, 500, 502, 503 and 504.
  public static let temporaryStatuses: Set<Int> = [408, 429, 500, 502, 503, 504]
  /// The network errors: the host was unreachable, the connection was lost, or a response did not
  /// arrive in time.
  public static let transportErrors: Set<NetworkingError.Kind> = [
    .resolve, .refused, .unreachable, .timeout, .proxy, .connectionLost, .truncated,
  ]

  /// Creates a policy.
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

  /// Decides whether the request is sent again after an attempt, and how long to wait before that.
  public func decide(_ attempt: RequestAttempt) -> RetryDecision {
    guard isWorthTrying(attempt) else { return .doNotRetry }
    guard methods.contains(attempt.request.method) else { return .refuse(.notIdempotent(attempt.request.method.rawValue)) }
    guard attempt.retryCount < limit else { return limit == 0 ? .doNotRetry : .refuse(.limitReached(limit)) }
    if honorsRetryAfter, let wait = RetryAfter.duration(attempt.response?.headerFields, now: now()) {
      return wait > maximumDelay ? .refuse(.waitTooLong(wait, limit: maximumDelay)) : .retryAfter(wait)
    }
    return .retryAfter(wait(before: attempt.retryCount))
  }

  /// Returns the wait before a retry: delay · factorⁿ, plus the jitter, at most ``maximumDelay``. `retry` is n, the number of the retry,
  /// starting at 0.
  public func wait(before retry: Int) -> Duration {
    var seconds = delay / .seconds(1)
    // A loop instead of `pow`, so that a limit of a million retries does not give infinity.
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
      // The status of a refused response is checked next; every other error is final.
      guard error.reason.kind == .validation else { return false }
    }
    return attempt.status.map { statuses.contains($0.code) } ?? false
  }
}

/// Reads `Retry-After` (RFC 9110, section 10.2.3).
public enum RetryAfter {
  private static let name = HTTPField.Name("Retry-After")

  /// Returns the time that the server asks the client to wait, from the field `Retry-After`: a number of seconds or a date. For a date,
  /// this is the time from `now` (seconds since 1970) until the date, or 0 for a date in the past. Returns nil if the field is missing or
  /// invalid.
  public static func duration(_ fields: HTTPFields?, now: Int64) -> Duration? {
    guard let name, let value = fields?[name] else { return nil }
    if !value.isEmpty, value.utf8.allSatisfy(\.isDigit) {
      let seconds = Int64(value) ?? .max
      return .seconds(min(seconds, 1 << 40))
    }
    return CookieDate.parse(value).map { .seconds(max(0, $0 - now)) }
  }
}

/// The decision of a `RequestRetrier` about whether a request is sent again.
public enum RetryDecision: Sendable, Hashable {
  /// Send the request again immediately.
  case retry
  /// Send the request again after this time.
  case retryAfter(Duration)
  /// This retrier requests no retry, and the next retrier is called. If no retrier requests a retry, the attempt's result is final.
  case doNotRetry
  /// Do not send the request again, and do not call other retriers. The reason is added to the error.
  case refuse(RetryRefusal)
  /// Do not send the request again, and fail with this reason instead of the attempt's result.
  case fail(NetworkingError.Reason)
}

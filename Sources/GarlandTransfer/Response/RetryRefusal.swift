/// The reason why a failed request was not retried.
public enum RetryRefusal: Sendable, Hashable, CustomStringConvertible {
  /// The body came from a stream that can be read only once.
  case bodyNotRepeatable
  /// The maximum number of retries was reached.
  case limitReached(Int)
  /// The method is not idempotent: if the request is sent twice, the server may carry it out twice.
  case notIdempotent(String)
  /// The server requires a wait that is longer than the limit ``RetryPolicy/maximumDelay``.
  case waitTooLong(Duration, limit: Duration)
  /// The deadline leaves no time for a retry.
  case deadline
  /// The caller has already received a part of the response.
  case responseBegun
  /// A retrier refused the retry. The associated value is its reason.
  case refused(String)

  /// The description of the reason in messages.
  public var description: String {
    switch self {
    case .bodyNotRepeatable: "not retried: the body can't be read again"
    case .limitReached(let limit): limit == 1 ? "retried once" : "retried \(limit) times"
    case .notIdempotent(let method): "not retried: \(method) is not idempotent"
    case .waitTooLong(let wait, let limit):
      "not retried: the server asks to wait \(wait.words), but the longest wait is \(limit.words)"
    case .deadline: "not retried: no time is left"
    case .responseBegun: "not retried: a part of the response was already delivered"
    case .refused(let reason): "not retried: \(reason)"
    }
  }
}

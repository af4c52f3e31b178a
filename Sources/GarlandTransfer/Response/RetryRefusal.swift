/// Why a request that failed was not sent again.
public enum RetryRefusal: Sendable, Hashable, CustomStringConvertible {
  /// Its body came from a stream that can be read only once.
  case bodyNotRepeatable
  /// It was sent again as often as is allowed.
  case limitReached(Int)
  /// Sending it twice may do twice what it does.
  case notIdempotent(String)
  /// The server asks to come back later than anybody here waits.
  case waitTooLong(Duration, limit: Duration)
  /// There would be no time left for another try.
  case deadline
  /// A part of the response has been handed on already.
  case responseBegun
  /// A retrier says so, with this reason.
  case refused(String)

  /// Human words.
  public var description: String {
    switch self {
    case .bodyNotRepeatable: "not retried: the body can't be read again"
    case .limitReached(let limit): limit == 1 ? "retried once" : "retried \(limit) times"
    case .notIdempotent(let method): "not retried: \(method) is not idempotent"
    case .waitTooLong(let wait, let limit):
      "not retried: the server asks to come back in \(wait.words), and the longest wait is \(limit.words)"
    case .deadline: "not retried: no time is left"
    case .responseBegun: "not retried: a part of the response was handed on already"
    case .refused(let reason): "not retried: \(reason)"
    }
  }
}

/// The decision of a `RequestRetrier`.
public enum RetryDecision: Sendable, Hashable {
  /// Send it again at once.
  case retry
  /// Send it again after this time.
  case retryAfter(Duration)
  /// No decision: the next retrier is asked. Without one the result stays.
  case doNotRetry
  /// Do not send it again, and do not ask other retriers. The reason is added to the error.
  case refuse(RetryRefusal)
  /// Do not send it again, and fail with this reason instead of the result.
  case fail(NetworkingError.Reason)
}

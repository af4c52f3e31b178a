/// What a ``RequestRetrier`` says.
public enum RetryDecision: Sendable, Hashable {
  /// Send it again at once.
  case retry
  /// Send it again after this time.
  case retryAfter(Duration)
  /// Nothing to say: the next retrier is asked, and without one the outcome stands.
  case doNotRetry
  /// Do not send it again, whatever other retriers would say. The reason goes with the error.
  case refuse(RetryRefusal)
  /// Do not send it again, and fail with this reason instead of the outcome there is.
  case fail(NetworkingError.Reason)
}

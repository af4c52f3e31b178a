/// The decision of a `RequestRetrier`.
public enum RetryDecision: Sendable, Hashable {
  /// Send the request again immediately.
  case retry
  /// Send the request again after this time.
  case retryAfter(Duration)
  /// No decision: the next retrier is called. If no retrier decides otherwise, the attempt's result is final.
  case doNotRetry
  /// Do not send the request again, and do not call other retriers. The reason is added to the error.
  case refuse(RetryRefusal)
  /// Do not send the request again, and fail with this reason instead of the attempt's result.
  case fail(NetworkingError.Reason)
}

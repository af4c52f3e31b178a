/// A stage of a request.
public enum RequestEvent: Sendable {
  /// The request was created; nothing is sent yet.
  case created
  /// The request has started, because a task waits for its result.
  case started
  /// The adapters have produced the request that is sent next.
  case adapted(TransferRequest)
  /// The request could not connect because of an obstacle on this machine, and waits until the obstacle is gone.
  case waitsForConnectivity(ReachabilityStatus.Obstacle)
  /// A redirect was followed.
  case redirected(RedirectHop)
  /// A response arrived, or the transfer failed.
  case transferred(Result<TransferResponse, NetworkingError>)
  /// The validators have checked the response. The error is nil if all validators accept the response.
  case validated(NetworkingError?)
  /// The request will be sent again after the given time.
  case retrying(after: Duration, because: NetworkingError?)
  /// The request will not be sent again. The associated value is the reason.
  case retryRefused(RetryRefusal)
  /// The request was suspended.
  case suspended
  /// The request was resumed.
  case resumed
  /// The request was cancelled.
  case cancelled
  /// The request has ended. The error is nil if it succeeded.
  case finished(NetworkingError?)
  /// A serializer has run. The associated values are the time that it took and its error; the error is nil if the serializer succeeded.
  case serialized(Duration, failure: NetworkingError?)
  /// The session reported a warning about the request.
  case warned(SessionWarning)
}

/// A stage of a request.
public enum RequestEvent: Sendable {
  /// It was made; nothing is sent yet.
  case created
  /// Somebody waits for it: its work begins.
  case started
  /// The adapters have made this of it. It is sent next.
  case adapted(TransferRequest)
  /// It could not connect, because of this obstacle on the machine itself, and waits until that is gone.
  case waitsForConnectivity(ReachabilityStatus.Obstacle)
  /// A redirect was followed.
  case redirected(RedirectHop)
  /// A response arrived, or the transfer failed.
  case transferred(Result<TransferResponse, NetworkingError>)
  /// The validators have looked at the response; nil if they accept it.
  case validated(NetworkingError?)
  /// It will be sent again, after this time.
  case retrying(after: Duration, because: NetworkingError?)
  /// It will not be sent again, for this reason.
  case retryRefused(RetryRefusal)
  /// It was suspended.
  case suspended
  /// It goes on.
  case resumed
  /// It was cancelled.
  case cancelled
  /// All is over; what it ended with if it failed.
  case finished(NetworkingError?)
  /// A serializer has run, and took this time.
  case serialized(Duration, failure: NetworkingError?)
  /// It made the session warn.
  case warned(SessionWarning)
}

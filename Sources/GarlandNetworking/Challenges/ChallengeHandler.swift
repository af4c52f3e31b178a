/// Decides about the credentials for a server that asks for them.
///
/// ```swift
/// request.authenticate { challenge in
///   challenge.failures == 0 ? .use(.challenged(user: "alice", password: password(of: challenge.space))) : .deliver
/// }
/// ```
/// A session asks the handler about a 401 from the request's own origin, unless the request already
/// had the credential that the server asks for and answered by itself. The request is sent again
/// with the credential, if its content can be read again. Trust in servers is decided by
/// ``ServerTrustEvaluating``, and client certificates are settings.
public protocol ChallengeHandler: Sendable {
  /// Decides about a response with status 401.
  func answer(_ challenge: ReceivedChallenge) async -> ChallengeAnswer
}

/// The decision of a ``ChallengeHandler``.
public enum ChallengeAnswer: Sendable, Hashable {
  /// Sends the request again with this credential.
  case use(Credential)
  /// Delivers the 401 as the response.
  case deliver
  /// Cancels the request.
  case cancel
}

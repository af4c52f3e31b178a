/// Chooses the credentials for a server that requests authentication.
///
/// ```swift
/// request.authenticate { challenge in
///   challenge.failures == 0 ? .use(.challenged(user: "alice", password: password(of: challenge.space))) : .deliver
/// }
/// ```
/// A session calls the handler for a 401 from the request's own origin. If the request already has a credential, the session first answers
/// the challenge with this credential, and calls the handler only if the server still responds with 401. The request is sent again with the
/// handler's credential, if the request's content can be read again.
///
/// A handler decides neither about trust in servers (see ``ServerTrustEvaluating``) nor about client certificates, which are settings.
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

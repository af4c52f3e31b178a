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
  /// Returns the decision about a response with status 401: another credential, the delivery of the response, or the cancellation of the
  /// request.
  func answer(_ challenge: ReceivedChallenge) async -> ChallengeAnswer
}

/// The decision of a ``ChallengeHandler`` about a response with status 401.
public enum ChallengeAnswer: Sendable, Hashable {
  /// Sends the request again with this credential.
  case use(Credential)
  /// Delivers the response with status 401 to the caller.
  case deliver
  /// Cancels the request.
  case cancel
}

/// A challenge handler that calls a closure.
public struct ChallengeResponder: ChallengeHandler {
  private let closure: @Sendable (ReceivedChallenge) async -> ChallengeAnswer

  /// Creates a handler from a closure.
  public init(_ closure: @escaping @Sendable (_ challenge: ReceivedChallenge) async -> ChallengeAnswer) { self.closure = closure }

  /// Returns the answer of the closure with which the handler was created.
  public func answer(_ challenge: ReceivedChallenge) async -> ChallengeAnswer { await closure(challenge) }
}

/// A challenge handler that calls a closure.
public struct ChallengeResponder: ChallengeHandler {
  private let closure: @Sendable (ReceivedChallenge) async -> ChallengeAnswer

  /// Creates a handler from a closure.
  public init(_ closure: @escaping @Sendable (_ challenge: ReceivedChallenge) async -> ChallengeAnswer) { self.closure = closure }

  /// Returns the answer of the closure with which the handler was created.
  public func answer(_ challenge: ReceivedChallenge) async -> ChallengeAnswer { await closure(challenge) }
}

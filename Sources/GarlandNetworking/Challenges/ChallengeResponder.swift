/// A challenge handler that calls a closure.
public struct ChallengeResponder: ChallengeHandler {
  private let closure: @Sendable (ReceivedChallenge) async -> ChallengeAnswer

  /// Creates a handler from a closure.
  public init(_ closure: @escaping @Sendable (_ challenge: ReceivedChallenge) async -> ChallengeAnswer) { self.closure = closure }

  /// Calls the closure.
  public func answer(_ challenge: ReceivedChallenge) async -> ChallengeAnswer { await closure(challenge) }
}

/// Says whether a request is sent again.
///
/// It is asked after every attempt that failed, and after those with a status from 400 on that nobody validated.
public protocol RequestRetrier: Sendable {
  /// What to do after an attempt.
  func retry(_ attempt: RequestAttempt) async -> RetryDecision
}

/// Decides whether a request is sent again.
///
/// A session asks the retrier after every failed attempt, and after a status of 400 or above in a
/// request without validators.
public protocol RequestRetrier: Sendable {
  /// Decides what happens after an attempt.
  func retry(_ attempt: RequestAttempt) async -> RetryDecision
}

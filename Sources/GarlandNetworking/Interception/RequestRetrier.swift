/// Decides whether a request is sent again.
///
/// A session asks the retrier after every failed attempt, after a status of 400 or above in a request without validators, and after a
/// response that a serializer could not read. If that response was downloaded to a file, the file is removed before the next attempt.
public protocol RequestRetrier: Sendable {
  /// Decides what happens after an attempt.
  func retry(_ attempt: RequestAttempt) async -> RetryDecision
}

extension RetryPolicy: RequestInterceptor {
  /// Decides with ``RetryPolicy/decide(_:)`` what happens after an attempt.
  public func retry(_ attempt: RequestAttempt) async -> RetryDecision { decide(attempt) }
}

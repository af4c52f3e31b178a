extension RetryPolicy: RequestInterceptor {
  /// Decides what happens after an attempt, by ``RetryPolicy/decide(_:)``.
  public func retry(_ attempt: RequestAttempt) async -> RetryDecision { decide(attempt) }
}

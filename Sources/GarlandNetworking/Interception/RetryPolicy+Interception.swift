extension RetryPolicy: RequestInterceptor {
  /// What to do after an attempt: as ``RetryPolicy/decide(_:)`` says.
  public func retry(_ attempt: RequestAttempt) async -> RetryDecision { decide(attempt) }
}

public import GarlandAuth

extension TokenManager: RequestInterceptor {
  /// Puts the access token in, once there is one that is fresh.
  public func adapt(_ request: TransferRequest) async throws -> TransferRequest {
    var request = request
    request.credential = .bearer(try await token().accessToken)
    return request
  }

  /// After the first 401, has the token refreshed and the request sent once more.
  public func retry(_ attempt: RequestAttempt) async -> RetryDecision {
    guard attempt.retryCount == 0, attempt.response?.status == .unauthorized else { return .doNotRetry }
    return await RetryDecision(attempt) { await replacement { attempt.request.credential == .bearer($0.accessToken) } }
  }
}

extension OAuth1Interceptor: RequestInterceptor {
  /// Signs a request as it is: whatever changes its URL or its form has to come before.
  public func adapt(_ request: TransferRequest) async throws -> TransferRequest { try signed(request) }
}

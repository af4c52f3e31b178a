public import GarlandAuth

extension TokenManager: RequestInterceptor {
  /// Adds a fresh access token to the request, and waits for the token if necessary.
  public func adapt(_ request: TransferRequest) async throws -> TransferRequest {
    var request = request
    request.credential = .bearer(try await token().accessToken)
    return request
  }

  /// Decides whether a request is sent again. If its first response has the status 401, the token is refreshed, and the request is sent
  /// once more. All other requests are not sent again.
  public func retry(_ attempt: RequestAttempt) async -> RetryDecision {
    guard attempt.retryCount == 0, attempt.response?.status == .unauthorized else { return .doNotRetry }
    return await RetryDecision(attempt) { await replacement { attempt.request.credential == .bearer($0.accessToken) } }
  }
}

extension OAuth1Interceptor: RequestInterceptor {
  /// Signs the request. The signature covers the URL and a form-encoded body. Do not change them afterwards.
  public func adapt(_ request: TransferRequest) async throws -> TransferRequest { try signed(request) }
}

/// Changes requests and decides about retries. The default implementations of both methods do nothing.
public protocol RequestInterceptor: RequestAdapter, RequestRetrier {}

extension RequestInterceptor {
  /// Returns the request unchanged.
  public func adapt(_ request: TransferRequest) async throws -> TransferRequest { request }
  /// Returns ``RetryDecision/doNotRetry``.
  public func retry(_ attempt: RequestAttempt) async -> RetryDecision { .doNotRetry }
}

/// Both: changes requests, and says whether they are sent again. Either may be left out.
public protocol RequestInterceptor: RequestAdapter, RequestRetrier {}

extension RequestInterceptor {
  /// Changes nothing.
  public func adapt(_ request: TransferRequest) async throws -> TransferRequest { request }
  /// Has nothing to say.
  public func retry(_ attempt: RequestAttempt) async -> RetryDecision { .doNotRetry }
}

/// Combines adapters and retriers into one interceptor.
///
/// Adapters run one after another. Retriers are called in order until one of them returns another decision than
/// ``RetryDecision/doNotRetry``.
public struct Interceptor: RequestInterceptor {
  private let adapters: [any RequestAdapter]
  private let retriers: [any RequestRetrier]

  /// Creates an interceptor that calls `adapters` and `retriers` first, and `interceptors` after them.
  public init(
    adapters: [any RequestAdapter] = [], retriers: [any RequestRetrier] = [], interceptors: [any RequestInterceptor] = []
  ) {
    self.adapters = adapters + interceptors
    self.retriers = retriers + interceptors
  }

  /// Creates an adapter from a closure.
  public init(adapting adapt: @escaping @Sendable (TransferRequest) async throws -> TransferRequest) {
    self.init(adapters: [ClosureAdapter(closure: adapt)])
  }

  /// Creates a retrier from a closure.
  public init(retrying retry: @escaping @Sendable (RequestAttempt) async -> RetryDecision) {
    self.init(retriers: [ClosureRetrier(closure: retry)])
  }

  /// Runs the adapters in order.
  public func adapt(_ request: TransferRequest) async throws -> TransferRequest {
    var request = request
    for adapter in adapters { request = try await adapter.adapt(request) }
    return request
  }

  /// Calls the retriers in order, and returns the first decision other than ``RetryDecision/doNotRetry``; if there is none, returns
  /// ``RetryDecision/doNotRetry``.
  public func retry(_ attempt: RequestAttempt) async -> RetryDecision {
    for retrier in retriers {
      let decision = await retrier.retry(attempt)
      if decision != .doNotRetry { return decision }
    }
    return .doNotRetry
  }

  private struct ClosureAdapter: RequestAdapter {
    let closure: @Sendable (TransferRequest) async throws -> TransferRequest
    func adapt(_ request: TransferRequest) async throws -> TransferRequest { try await closure(request) }
  }

  private struct ClosureRetrier: RequestRetrier {
    let closure: @Sendable (RequestAttempt) async -> RetryDecision
    func retry(_ attempt: RequestAttempt) async -> RetryDecision { await closure(attempt) }
  }
}

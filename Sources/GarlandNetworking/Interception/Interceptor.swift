/// Several adapters and retriers as one interceptor.
///
/// Adapters run one after the other. Retriers are asked in order until one has something to say.
public struct Interceptor: RequestInterceptor {
  private let adapters: [any RequestAdapter]
  private let retriers: [any RequestRetrier]

  /// These adapters and retriers, and those interceptors after them.
  public init(
    adapters: [any RequestAdapter] = [], retriers: [any RequestRetrier] = [], interceptors: [any RequestInterceptor] = []
  ) {
    self.adapters = adapters + interceptors
    self.retriers = retriers + interceptors
  }

  /// An adapter made of a closure.
  public init(adapting adapt: @escaping @Sendable (TransferRequest) async throws -> TransferRequest) {
    self.init(adapters: [ClosureAdapter(closure: adapt)])
  }

  /// A retrier made of a closure.
  public init(retrying retry: @escaping @Sendable (RequestAttempt) async -> RetryDecision) {
    self.init(retriers: [ClosureRetrier(closure: retry)])
  }

  /// Runs the adapters.
  public func adapt(_ request: TransferRequest) async throws -> TransferRequest {
    var request = request
    for adapter in adapters { request = try await adapter.adapt(request) }
    return request
  }

  /// Asks the retriers.
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

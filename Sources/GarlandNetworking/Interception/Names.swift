public import HTTPTypes

// Interceptors and handlers by name: `interceptor: .retryPolicy(limit: 3)`, `redirect(using: .follow)`.

extension RequestInterceptor where Self == RetryPolicy {
  /// Retries with the defaults of ``RetryPolicy``.
  public static var retryPolicy: RetryPolicy { RetryPolicy() }

  /// Creates a retry policy. Omitted arguments have the defaults of ``RetryPolicy``.
  public static func retryPolicy(
    limit: Int = 2, delay: Duration = .milliseconds(500), factor: Double = 2, jitter: Double = 0.25,
    methods: Set<HTTPRequest.Method> = RetryPolicy.idempotentMethods, statuses: Set<Int> = RetryPolicy.temporaryStatuses,
    errors: Set<NetworkingError.Kind> = RetryPolicy.transportErrors
  ) -> RetryPolicy {
    RetryPolicy(limit: limit, delay: delay, factor: factor, jitter: jitter, methods: methods, statuses: statuses, errors: errors)
  }

  /// Retries idempotent requests whose connection was lost, at most twice. A response is never a reason for a
  /// retry, regardless of its status.
  public static var connectionLostRetryPolicy: RetryPolicy { connectionLostRetryPolicy() }

  /// Retries idempotent requests whose connection was lost, at most `limit` times. A response is never a reason for a retry, regardless of
  /// its status.
  public static func connectionLostRetryPolicy(limit: Int = 2) -> RetryPolicy {
    RetryPolicy(limit: limit, statuses: [], errors: [.connectionLost, .truncated])
  }
}

extension RequestInterceptor where Self == Interceptor {
  /// Creates an interceptor that changes each request with a closure.
  public static func adapter(_ adapt: @escaping @Sendable (TransferRequest) async throws -> TransferRequest) -> Interceptor {
    Interceptor(adapting: adapt)
  }

  /// Creates an interceptor that decides about retries with a closure.
  public static func retrier(_ retry: @escaping @Sendable (RequestAttempt) async -> RetryDecision) -> Interceptor {
    Interceptor(retrying: retry)
  }

  /// Creates an interceptor that calls `adapters` and `retriers` first, and `interceptors` after them.
  public static func interceptor(
    adapters: [any RequestAdapter] = [], retriers: [any RequestRetrier] = [], interceptors: [any RequestInterceptor] = []
  ) -> Interceptor {
    Interceptor(adapters: adapters, retriers: retriers, interceptors: interceptors)
  }
}

extension RedirectHandler where Self == Redirector {
  /// Follows every redirect.
  public static var follow: Redirector { Redirector.follow }
  /// Follows no redirect: the 3xx response is delivered.
  public static var doNotFollow: Redirector { Redirector.doNotFollow }
  /// Creates a redirect handler that decides about each redirect with a closure.
  public static func decide(
    _ decide: @escaping @Sendable (_ redirect: RedirectHop, _ proposal: TransferRequest) async -> RedirectAction
  ) -> Redirector {
    Redirector(decide)
  }
  /// Creates a redirect handler from a closure, which returns the next request to send. If the closure returns nil, the redirect is not
  /// followed.
  public static func modify(
    _ change: @escaping @Sendable (_ redirect: RedirectHop, _ proposal: TransferRequest) async -> TransferRequest?
  ) -> Redirector {
    Redirector { redirect, proposal in await change(redirect, proposal).map { .modify($0) } ?? .doNotFollow }
  }
}

extension CachedResponseHandler where Self == ResponseCacher {
  /// Stores every response that may be stored.
  public static var keep: ResponseCacher { ResponseCacher.keep }
  /// Stores no response.
  public static var refuse: ResponseCacher { ResponseCacher.refuse }
  /// Creates a handler that decides with a closure whether each response is stored in the cache.
  public static func decide(
    _ decide: @escaping @Sendable (_ response: CacheableResponse, _ request: TransferRequest) async -> CachedResponseAction
  ) -> ResponseCacher {
    ResponseCacher(decide)
  }
}

/// Sends a credential with every request, and keeps it fresh.
///
/// ```swift
/// let interceptor = AuthenticationInterceptor(BearerAuthenticator(), credential: token)
/// let book = try await session.request(url, interceptor: interceptor).validate().response(of: Book.self).value
/// ```
/// - A credential that is about to expire is refreshed before it is used.
/// - A request that is refused with the credential of the day has it refreshed, and is sent again; one that was sent with an older one is only sent again.
/// - However many requests need it, one refresh is under way, and all wait for it. When it fails, all of them fail with its error.
/// - At most five refreshes within 30 s, so that a server that refuses every token is not asked forever.
///
/// Several sessions may share one. When a request does not want to wait any more, because it was cancelled, the refresh goes on for the others.
public final class AuthenticationInterceptor<Source: Authenticator>: RequestInterceptor {
  /// What a credential is.
  public typealias Credential = Source.Credential

  private let authenticator: Source
  private let shared: SharedCredential<Credential>

  /// An interceptor. `limit` refreshes within `interval` are allowed; `now` tells the time for that.
  public init(
    _ authenticator: Source, credential: Credential? = nil, limit: Int = 5, interval: Duration = .seconds(30),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.authenticator = authenticator
    shared = SharedCredential(
      credential, limit: limit, interval: interval, now: now, isStale: \.requiresRefresh, renew: authenticator.refresh)
  }

  /// The credential. Set it to one from elsewhere, a login for example, or to nil to send no requests any more.
  public var credential: Credential? {
    get { shared.current }
    set { shared.current = newValue }
  }

  /// The credential, once there is one that is fresh: what ``adapt(_:)`` puts into requests.
  public func freshCredential() async throws(NetworkingError) -> Credential { try await shared.fresh() }

  /// Puts the credential in, once there is one that is fresh.
  public func adapt(_ request: TransferRequest) async throws -> TransferRequest {
    let credential = try await freshCredential()
    var request = request
    authenticator.apply(credential, to: &request)
    return request
  }

  /// Has the credential refreshed, if the response says that it is not valid any more.
  public func retry(_ attempt: RequestAttempt) async -> RetryDecision {
    guard let response = attempt.response, authenticator.didFail(response) else { return .doNotRetry }
    return await RetryDecision(attempt) { await replacement(for: attempt.request) }
  }

  /// Another credential than that of a request which was refused: that of the day if it was sent with an older one, else a fresh one.
  public func replacement(for request: TransferRequest) async -> Result<Credential, NetworkingError> {
    await shared.replacement { authenticator.isRequest(request, authenticatedWith: $0) }
  }
}

extension RetryDecision {
  /// Whether a refused request is sent again: with a replacement for its credential, and only where its body can be read again.
  init(_ attempt: RequestAttempt, replacing: () async -> Result<some Any, NetworkingError>) async {
    // Without a way to send it again, nobody needs another credential now.
    guard attempt.isBodyRepeatable else {
      self = .refuse(.bodyNotRepeatable)
      return
    }
    switch await replacing() {
    case .success: self = .retry
    case .failure(let error): self = .fail(error.reason)
    }
  }
}

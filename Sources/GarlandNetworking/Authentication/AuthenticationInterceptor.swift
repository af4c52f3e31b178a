/// Sends a credential with every request, and refreshes the credential when necessary.
///
/// ```swift
/// let interceptor = AuthenticationInterceptor(BearerAuthenticator(), credential: token)
/// let book = try await session.request(url, interceptor: interceptor).validate().response(of: Book.self).value
/// ```
/// - A credential that expires soon is refreshed before it is used.
/// - If a request is refused although it has the current credential, the credential is refreshed and the request is sent again. If a
///   refused request has an older credential, it is sent again without a refresh.
/// - Any number of requests share one refresh and wait for it. If the refresh fails, all these requests fail with the error of the refresh.
/// - By default, at most five refreshes are made within 30 s, so that there is no endless loop if a server refuses every
///   token.
///
/// Several sessions may share one interceptor. If a request is cancelled while it waits for a refresh, the refresh continues for the other
/// requests.
public final class AuthenticationInterceptor<Source: Authenticator>: RequestInterceptor {
  /// The credential type of the authenticator.
  public typealias Credential = Source.Credential

  private let authenticator: Source
  private let shared: SharedCredential<Credential>

  /// Creates an interceptor that refreshes its credential at most `limit` times within `interval`. `now` returns the current time.
  public init(
    _ authenticator: Source, credential: Credential? = nil, limit: Int = 5, interval: Duration = .seconds(30),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.authenticator = authenticator
    shared = SharedCredential(
      credential, limit: limit, interval: interval, now: now, isStale: \.requiresRefresh, renew: authenticator.refresh)
  }

  /// The current credential. Assign a credential that was obtained in another way, for example after a login. While the credential is nil,
  /// requests fail with ``NetworkingError/Authentication/missingCredential``.
  public var credential: Credential? {
    get { shared.current }
    set { shared.current = newValue }
  }

  /// Returns the credential that ``adapt(_:)`` adds to requests. Waits for a refresh if necessary.
  public func freshCredential() async throws(NetworkingError) -> Credential { try await shared.fresh() }

  /// Adds a fresh credential to the request. Waits for a refresh if necessary.
  public func adapt(_ request: TransferRequest) async throws -> TransferRequest {
    let credential = try await freshCredential()
    var request = request
    authenticator.apply(credential, to: &request)
    return request
  }

  /// Decides to send a request again if its response shows that the credential is no longer valid. First refreshes the credential, unless
  /// this has already happened since the request was sent.
  public func retry(_ attempt: RequestAttempt) async -> RetryDecision {
    guard let response = attempt.response, authenticator.didFail(response) else { return .doNotRetry }
    return await RetryDecision(attempt) { await replacement(for: attempt.request) }
  }

  /// Returns the credential with which a refused request can be sent again. If the request was sent with an older credential than the
  /// current one, the result is the current credential; otherwise, it is a refreshed credential.
  public func replacement(for request: TransferRequest) async -> Result<Credential, NetworkingError> {
    await shared.replacement { authenticator.isRequest(request, authenticatedWith: $0) }
  }
}

extension RetryDecision {
  /// Decides whether a refused request is sent again. The request is sent again only if its body can be read again and `replacing` returns
  /// a replacement for its credential.
  init(_ attempt: RequestAttempt, replacing: () async -> Result<some Any, NetworkingError>) async {
    // If the request cannot be sent again, it needs no replacement for its credential.
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

import GarlandTransfer
import Synchronization

/// The tokens of one identity for any number of requests: fetched once, refreshed before they
/// expire, and sent with every request.
///
/// ```swift
/// let manager = TokenManager(configuration, transport: SessionTransport(session))
/// let response = await session.request(url, interceptor: manager).response()
/// ```
/// - Any number of concurrent requests cause only one request to the provider, and wait for its result.
/// - A token that expires soon is refreshed first. If the provider no longer accepts the refresh token, the
///   manager requests new tokens with the grant, but only once.
/// - A request with the response 401 causes a refresh and is sent once more.
/// - After a final refusal of the provider, for example because of a wrong secret, the provider is not
///   contacted again: all requests fail with its message.
/// - With a ``TokenCache``, processes with the same identity share the tokens and the refresh.
public final class TokenManager: Sendable {
  /// The provider, the client, the grant and the scope with which the tokens are obtained.
  public let configuration: OAuthConfiguration
  private let authenticator: OAuthAuthenticator
  /// The access token that a server has refused, while a new token is being fetched; nil otherwise.
  private let refused = Mutex<String?>(nil)
  private let shared: SharedCredential<TokenSet?>

  /// Creates a manager without tokens.
  public init(
    _ configuration: OAuthConfiguration, transport: any AuthTransport, environment: AuthEnvironment = AuthEnvironment(),
    cache: (any TokenCache)? = nil
  ) {
    self.configuration = configuration
    let flow = TokenFlow(
      configuration: configuration, transport: transport, environment: environment, directory: ProviderDirectory(transport))
    let authenticator = OAuthAuthenticator(flow, cache: cache)
    self.authenticator = authenticator
    shared = SharedCredential(
      .some(nil), limit: 20, interval: .seconds(30), isStale: { $0.map(authenticator.isStale) ?? true }, renew: authenticator.refresh)
  }

  /// The current tokens, even if they have expired; nil if no tokens were fetched yet. An assignment replaces the fetched tokens.
  public var tokens: TokenSet? {
    get { shared.current ?? nil }
    set { shared.current = .some(newValue) }
  }

  /// The current tokens if they are fresh; nil if there are none, if they have expired or expire soon, or if a server has refused them.
  /// Reading them never waits and never contacts the provider.
  public var freshTokens: TokenSet? {
    guard let tokens, !authenticator.isStale(tokens), !isBeingReplaced else { return nil }
    return tokens
  }

  /// Whether a server has refused the current access token and a new token is being fetched. Requests
  /// with the old token would be refused as well.
  public var isBeingReplaced: Bool {
    guard let token = refused.withLock({ $0 }) else { return false }
    return tokens?.accessToken == token
  }

  /// Returns fresh tokens. Fetches or refreshes them if necessary.
  public func token() async throws(OAuthError) -> TokenSet {
    if isBeingReplaced, let tokens { return try await token(insteadOf: tokens) }
    do throws(NetworkingError) {
      guard let tokens = try await shared.fresh() else { throw NetworkingError(.authentication(.missingCredential)) }
      return tokens
    } catch {
      throw Self.cause(of: error)
    }
  }

  /// Replaces tokens that a server has refused, and returns the new tokens. If another task has already replaced these tokens, the tokens
  /// of that task are returned without a refresh.
  public func token(insteadOf old: TokenSet) async throws(OAuthError) -> TokenSet {
    refuse(old)
    let result = await replacement { $0.accessToken == old.accessToken }
    refused.withLock { if $0 == old.accessToken { $0 = nil } }
    switch result {
    case .success(let tokens):
      guard let tokens else { throw .configuration("there is no token") }
      return tokens
    case .failure(let error): throw Self.cause(of: error)
    }
  }

  /// Revokes tokens at the provider (RFC 7009), so that nobody can use them.
  ///
  /// - Returns: Whether a request was sent to the provider. False if no issuer is configured, or if the provider's metadata contains no
  ///   revocation endpoint.
  public func revoke(_ tokens: TokenSet) async throws(OAuthError) -> Bool { try await authenticator.revoke(tokens) }

  /// Marks tokens as refused by a server, so that ``freshTokens`` is nil until new tokens arrive. Call this function before you request the
  /// new tokens.
  public func refuse(_ old: TokenSet) {
    guard tokens?.accessToken == old.accessToken else { return }
    refused.withLock { $0 = old.accessToken }
  }

  /// Returns tokens with which a refused request can be sent again.
  ///
  /// If the tokens were replaced after the request was sent, returns the current tokens. If the request was sent with the current tokens,
  /// obtains new ones. If no new tokens can be obtained, returns the error.
  ///
  /// - Parameter wasSentWith: returns whether the refused request was sent with the given tokens.
  package func replacement(wasSentWith: (TokenSet) -> Bool) async -> Result<TokenSet?, NetworkingError> {
    await shared.replacement { $0.map(wasSentWith) ?? false }
  }

  private static func cause(of error: NetworkingError) -> OAuthError {
    switch error.reason {
    case .authentication(.refreshFailed(let underlying)): underlying.error as? OAuthError ?? .configuration("\(underlying)")
    case .cancelled: .cancelled
    default: .configuration("\(error)")
    }
  }
}

extension TokenManager: AccessTokenSource {
  /// The identity of the configuration; see ``OAuthConfiguration/identity``.
  public var identity: String { configuration.identity }

  /// Returns the access token in the token set that ``token()`` returns.
  public func accessToken() async throws(OAuthError) -> String { try await token().accessToken }
}

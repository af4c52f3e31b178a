import GarlandTransfer
import Synchronization

/// The tokens of one identity, for as many requests as there are: fetched once, refreshed before they end, sent with every request.
///
/// ```swift
/// let manager = TokenManager(configuration, transport: SessionTransport(session))
/// let response = await session.request(url, interceptor: manager).response()
/// ```
/// - However many requests start at once, the provider is asked once, and all wait for it.
/// - A token that is about to end is refreshed first. A refresh token that the provider does not accept any more is followed by the grant, once.
/// - A request that is answered 401 has the token refreshed and is sent once more.
/// - What the provider has refused for good, a wrong secret for example, it is not asked again: all requests fail with its words.
/// - With a ``TokenCache``, other processes that have the same identity share the tokens, and the one refresh.
public final class TokenManager: Sendable {
  /// What its tokens are for.
  public let configuration: OAuthConfiguration
  private let authenticator: OAuthAuthenticator
  /// An access token that a server has refused and that is being replaced.
  private let refused = Mutex<String?>(nil)
  private let shared: SharedCredential<TokenSet?>

  /// A manager without tokens.
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

  /// The tokens that there are, fresh or not; nil when none were fetched yet. Setting them replaces what was fetched.
  public var tokens: TokenSet? {
    get { shared.current ?? nil }
    set { shared.current = .some(newValue) }
  }

  /// The tokens, if they are there and fresh: no waiting, no asking.
  public var freshTokens: TokenSet? {
    guard let tokens, !authenticator.isStale(tokens), !isBeingReplaced else { return nil }
    return tokens
  }

  /// Whether the access token of the moment was refused by a server and another one is on its way: who sends the old one is refused as well.
  public var isBeingReplaced: Bool {
    guard let token = refused.withLock({ $0 }) else { return false }
    return tokens?.accessToken == token
  }

  /// Fresh tokens, fetched or refreshed if need be.
  public func token() async throws(OAuthError) -> TokenSet {
    if isBeingReplaced, let tokens { return try await token(insteadOf: tokens) }
    do throws(NetworkingError) {
      guard let tokens = try await shared.fresh() else { throw NetworkingError(.authentication(.missingCredential)) }
      return tokens
    } catch {
      throw Self.cause(of: error)
    }
  }

  /// Other tokens than these, which a server has refused; those that somebody else has fetched since will do.
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

  /// Tells the provider that tokens are not needed any more (RFC 7009): nobody can use them from then on.
  ///
  /// - Returns: whether it was told; false when its metadata names no place for that, or there is no issuer to ask for it.
  public func revoke(_ tokens: TokenSet) async throws(OAuthError) -> Bool { try await authenticator.revoke(tokens) }

  /// Says that a server has refused a token, ahead of asking for another: from now on ``freshTokens`` is nil until there is one.
  public func refuse(_ old: TokenSet) {
    guard tokens?.accessToken == old.accessToken else { return }
    refused.withLock { $0 = old.accessToken }
  }

  /// Returns other tokens after a request was refused, with what keeps the current ones from being replaced as the error.
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

  /// The access token of ``token()``.
  public func accessToken() async throws(OAuthError) -> String { try await token().accessToken }
}

/// Whose token is shown in a token exchange (RFC 8693 section 2.1): that of the user, or of who acts.
public enum TokenExchangeParty: Sendable {
  /// A token from elsewhere, and what kind of token it is.
  case token(String, type: String = TokenExchange.accessToken)
  /// The access token of another identity, fresh each time, and what it is called to the provider.
  case identity(TokenManager, type: String = TokenExchange.accessToken)

  /// The token and its type; an identity is asked for it.
  func current() async throws(OAuthError) -> (token: String, type: String) {
    switch self {
    case .token(let token, let type): return (token, type)
    case .identity(let manager, let type): return (try await manager.token().accessToken, type)
    }
  }

  /// What tells it from others, without anything that is secret.
  var trace: String? {
    switch self {
    case .token(let token, let type): OAuthGrant.trace(of: [token, type])
    case .identity(let manager, let type): "\(manager.configuration.identity) \(type)"
    }
  }
}

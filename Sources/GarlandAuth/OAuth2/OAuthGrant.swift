import GarlandCrypto

/// The credential that a client exchanges for a token.
public enum OAuthGrant: Sendable {
  /// The client itself (RFC 6749 section 4.4).
  case clientCredentials
  /// A user's name and password (RFC 6749 section 4.3).
  case password(user: String, password: String)
  /// A refresh token from elsewhere (RFC 6749 section 6).
  case refreshToken(String)
  /// A code that a user's consent yields (RFC 6749 section 4.1), always with PKCE. The agent goes
  /// through the provider's pages.
  case authorizationCode(any AuthorizationAgent)
  /// A code that a user enters on another device (RFC 8628). `show` shows it to the user.
  case deviceCode(show: @Sendable (DeviceAuthorization) async -> Void)
  /// A signed assertion about a user (RFC 7523).
  case jwtBearer(OAuthAssertion)
  /// Another token (RFC 8693).
  case tokenExchange(TokenExchange)

  /// The token of another identity, and optionally that of the actor on its behalf; either may be
  /// from elsewhere (RFC 8693).
  case tokenExchangeOf(subject: TokenExchangeParty, actor: TokenExchangeParty?)

  /// The `grant_type`.
  public var name: String {
    switch self {
    case .clientCredentials: "client_credentials"
    case .password: "password"
    case .refreshToken: "refresh_token"
    case .authorizationCode: "authorization_code"
    case .deviceCode: "urn:ietf:params:oauth:grant-type:device_code"
    case .jwtBearer: "urn:ietf:params:oauth:grant-type:jwt-bearer"
    case .tokenExchange, .tokenExchangeOf: "urn:ietf:params:oauth:grant-type:token-exchange"
    }
  }

  /// The user, if the grant names one.
  var user: String? {
    switch self {
    case .password(let user, _): user
    case .jwtBearer(.signed(let assertion)): assertion.subject
    case .jwtBearer(.text(let token)), .refreshToken(let token): Self.trace(of: [token])
    case .tokenExchange(let exchange): Self.trace(of: [exchange.subjectToken, exchange.actorToken ?? ""])
    case .tokenExchangeOf(let subject, let actor):
      [subject.trace, actor?.trace].compactMap { $0 }.joined(separator: " ").replacing("\n", with: " ")
    default: nil
    }
  }

  /// Returns a digest that distinguishes tokens without revealing them: tokens cannot be guessed,
  /// so neither can the input of the digest.
  static func trace(of tokens: [String]) -> String? {
    (try? Digest(of: tokens.joined(separator: " ").utf8, using: .sha256)).map { "of token \($0.hex.prefix(16))" }
  }
}

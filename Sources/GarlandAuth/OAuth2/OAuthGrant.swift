import GarlandCrypto

/// A grant: the credential that a client exchanges for a token.
public enum OAuthGrant: Sendable {
  /// The client authenticates with its own credentials and acts for itself (RFC 6749 section 4.4).
  case clientCredentials
  /// The client sends a user's name and password (RFC 6749 section 4.3).
  case password(user: String, password: String)
  /// A refresh token that was obtained elsewhere (RFC 6749 section 6).
  case refreshToken(String)
  /// An authorization code, which the provider issues after the user's consent (RFC 6749 section 4.1), always with PKCE. The agent opens
  /// the provider's login pages.
  case authorizationCode(any AuthorizationAgent)
  /// A code that a user enters on another device (RFC 8628). The closure `show` shows the code to the user.
  case deviceCode(show: @Sendable (DeviceAuthorization) async -> Void)
  /// The client sends a signed assertion about a user (RFC 7523).
  case jwtBearer(OAuthAssertion)
  /// A token that is exchanged for another token (RFC 8693).
  case tokenExchange(TokenExchange)

  /// The token of a subject, and optionally the token of an actor who acts on the subject's behalf (RFC 8693). Each token is either the
  /// current access token of another identity, or a token that was obtained elsewhere; see ``TokenExchangeParty``.
  case tokenExchangeOf(subject: TokenExchangeParty, actor: TokenExchangeParty?)

  /// The value of the parameter `grant_type` in token requests.
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

  /// The user or subject that the grant names. If the grant contains only tokens, the value is a text that identifies these tokens without
  /// revealing them. Nil for any other grant.
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

  /// Returns a text with a digest that identifies tokens without revealing them; nil if the digest can't be computed. An attacker cannot
  /// find the tokens by computing the digests of guesses, since tokens are unpredictable.
  static func trace(of tokens: [String]) -> String? {
    (try? Digest(of: tokens.joined(separator: " ").utf8, using: .sha256)).map { "of token \($0.hex.prefix(16))" }
  }
}

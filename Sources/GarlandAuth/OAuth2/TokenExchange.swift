/// An exchange of one token for another (RFC 8693 section 2.1).
public struct TokenExchange: Sendable, Hashable {
  /// The type of access tokens.
  public static let accessToken = "urn:ietf:params:oauth:token-type:access_token"

  /// The token of the subject, whom the new token is about.
  public var subjectToken: String
  /// The type of the subject's token. Defaults to an access token.
  public var subjectTokenType: String
  /// The token of the actor on behalf of the subject, if there is one.
  public var actorToken: String?
  /// The type of the actor's token. Defaults to an access token.
  public var actorTokenType: String
  /// The type of the new token; nil leaves it to the provider.
  public var requestedTokenType: String?

  /// Creates an exchange.
  public init(
    subjectToken: String, subjectTokenType: String = accessToken, actorToken: String? = nil, actorTokenType: String = accessToken,
    requestedTokenType: String? = nil
  ) {
    self.subjectToken = subjectToken
    self.subjectTokenType = subjectTokenType
    self.actorToken = actorToken
    self.actorTokenType = actorTokenType
    self.requestedTokenType = requestedTokenType
  }

  var fields: [(String, String)] {
    var fields = [("subject_token", subjectToken), ("subject_token_type", subjectTokenType)]
    if let actorToken { fields += [("actor_token", actorToken), ("actor_token_type", actorTokenType)] }
    if let requestedTokenType { fields.append(("requested_token_type", requestedTokenType)) }
    return fields
  }
}

/// One party of a token exchange (RFC 8693 section 2.1): the user, or the actor who acts for that user.
public enum TokenExchangeParty: Sendable {
  /// A token from elsewhere, and its type.
  case token(String, type: String = TokenExchange.accessToken)
  /// Another identity, whose access token is requested at each exchange, and its type as the
  /// provider names it.
  case identity(any AccessTokenSource, type: String = TokenExchange.accessToken)

  /// Returns the token and its type; asks an identity for its token.
  func current() async throws(OAuthError) -> (token: String, type: String) {
    switch self {
    case .token(let token, let type): return (token, type)
    case .identity(let source, let type): return (try await source.accessToken(), type)
    }
  }

  /// A text that tells this party from others and holds no secret.
  var trace: String? {
    switch self {
    case .token(let token, let type): OAuthGrant.trace(of: [token, type])
    case .identity(let source, let type): "\(source.identity) \(type)"
    }
  }
}

/// A source of access tokens for one identity, such as a ``TokenManager``.
public protocol AccessTokenSource: Sendable {
  /// A text that tells this identity from others and holds no secret.
  var identity: String { get }
  /// Returns an access token that has not expired; fetches or refreshes it first where necessary.
  func accessToken() async throws(OAuthError) -> String
}

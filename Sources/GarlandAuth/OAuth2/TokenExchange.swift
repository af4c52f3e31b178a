/// An exchange of one token for another (RFC 8693 section 2.1).
public struct TokenExchange: Sendable, Hashable {
  /// The token type of access tokens.
  public static let accessToken = "urn:ietf:params:oauth:token-type:access_token"

  /// The token of the subject, for whom the new token is issued.
  public var subjectToken: String
  /// The type of the subject's token. Defaults to an access token.
  public var subjectTokenType: String
  /// The token of the actor, who acts on behalf of the subject; nil if there is no actor.
  public var actorToken: String?
  /// The type of the actor's token. Defaults to an access token.
  public var actorTokenType: String
  /// The type of the new token; nil for the provider's default.
  public var requestedTokenType: String?

  /// Creates a request to exchange one token for another.
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
  /// A token that was obtained elsewhere, and its type.
  case token(String, type: String = TokenExchange.accessToken)
  /// The current access token of another identity. The token is requested anew for each exchange. `type` is the provider's name for the
  /// type of that token.
  case identity(any AccessTokenSource, type: String = TokenExchange.accessToken)

  /// Returns the token of this party (the user or the actor) and the type of the token. For the case `identity`, requests the current
  /// access token of the identity.
  func current() async throws(OAuthError) -> (token: String, type: String) {
    switch self {
    case .token(let token, let type): return (token, type)
    case .identity(let source, let type): return (try await source.accessToken(), type)
    }
  }

  /// A text that identifies the party (the subject or actor of the token exchange) and contains no secret. Nil if the party cannot be
  /// identified.
  var trace: String? {
    switch self {
    case .token(let token, let type): OAuthGrant.trace(of: [token, type])
    case .identity(let source, let type): "\(source.identity) \(type)"
    }
  }
}

/// A source of access tokens for one identity, such as a ``TokenManager``.
public protocol AccessTokenSource: Sendable {
  /// A text that identifies the client and the user whose tokens this source returns. It contains no secret.
  var identity: String { get }
  /// Returns an access token that has not expired. Fetches or refreshes the token first if necessary.
  func accessToken() async throws(OAuthError) -> String
}

/// One token for another (RFC 8693 section 2.1).
public struct TokenExchange: Sendable, Hashable {
  /// The type of access tokens.
  public static let accessToken = "urn:ietf:params:oauth:token-type:access_token"

  /// The token of whom the new one is about.
  public var subjectToken: String
  /// Its type. Defaults to an access token.
  public var subjectTokenType: String
  /// The token of who acts for that one, if somebody does.
  public var actorToken: String?
  /// Its type. Defaults to an access token.
  public var actorTokenType: String
  /// The type of the new token; nil leaves it to the provider.
  public var requestedTokenType: String?

  /// An exchange.
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

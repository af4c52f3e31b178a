public import GarlandCrypto
public import GarlandJSON

/// What a client shows instead of a password: a JWT, ready or to be signed (RFC 7523 section 2.1).
public enum OAuthAssertion: Sendable {
  /// Made elsewhere.
  case text(String)
  /// Signed for each request.
  case signed(SignedAssertion)
}

/// A JWT that the client signs by itself (RFC 7523 section 3).
public struct SignedAssertion: Sendable {
  /// `iss`.
  public var issuer: String
  /// `sub`.
  public var subject: String
  /// `aud`; nil is the token endpoint.
  public var audience: String?
  /// How long it is valid, in seconds. Defaults to 60.
  public var lifetime: Double
  /// What it is signed with.
  public var key: JSONWebKey
  /// How.
  public var algorithm: SignatureAlgorithm
  /// Further claims.
  public var claims: JSONObject

  /// An assertion.
  public init(
    issuer: String, subject: String, audience: String? = nil, lifetime: Double = 60, key: JSONWebKey, algorithm: SignatureAlgorithm,
    claims: JSONObject = [:]
  ) {
    self.issuer = issuer
    self.subject = subject
    self.audience = audience
    self.lifetime = lifetime
    self.key = key
    self.algorithm = algorithm
    self.claims = claims
  }

  /// The token, with a `jti` of its own.
  func token(endpoint: String, _ environment: AuthEnvironment) throws(OAuthError) -> String {
    let now = environment.now().rounded(.down)
    var all: JSONObject = [
      "iss": .string(issuer), "sub": .string(subject), "aud": .string(audience ?? endpoint), "iat": JSONValue(Int(now)),
      "exp": JSONValue(Int(now + lifetime)), "jti": .string(try environment.randomText(16)),
    ]
    for (name, value) in claims { all[name] = value }
    do throws(TokenError) {
      let token = try JSONWebToken(signing: all, algorithm: algorithm, key: key).compact
      environment.registerSecret(token)
      return token
    } catch {
      throw .key("the assertion cannot be signed: \(error)")
    }
  }
}

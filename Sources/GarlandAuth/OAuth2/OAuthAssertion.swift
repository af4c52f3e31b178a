public import GarlandCrypto
public import GarlandJSON

/// A JWT that a client sends instead of a password, either ready-made or signed for each request (RFC 7523
/// section 2.1).
public enum OAuthAssertion: Sendable {
  /// A finished JWT, which is sent unchanged.
  case text(String)
  /// A JWT that the client signs anew for each request.
  case signed(SignedAssertion)
}

/// A JWT that the client signs itself (RFC 7523 section 3).
public struct SignedAssertion: Sendable {
  /// The issuer of the JWT: the claim `iss`.
  public var issuer: String
  /// The user or service that the JWT is about: the claim `sub`.
  public var subject: String
  /// The audience of the JWT (the claim `aud`); nil means the URL of the token endpoint.
  public var audience: String?
  /// The lifetime of each JWT in seconds. Defaults to 60.
  public var lifetime: Double
  /// The key that signs the JWT.
  public var key: JSONWebKey
  /// The algorithm of the signature.
  public var algorithm: SignatureAlgorithm
  /// Further claims of the JWT. A claim here replaces the standard claim (`iss`, `sub`, `aud`, `iat`, `exp`, `jti`) of the same name.
  public var claims: JSONObject

  /// Creates the description of a JWT; the JWT itself is signed for each request.
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

  /// Returns the signed JWT, with a new identifier (`jti`). `endpoint` is the URL of the token endpoint. This URL is the default audience.
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

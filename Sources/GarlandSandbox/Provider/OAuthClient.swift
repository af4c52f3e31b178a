/// A client that is registered with the provider, and its permissions.
struct OAuthClient: Sendable {
  /// The methods to authenticate a client, by their names in RFC 7591, section 2, and OpenID Connect Core, section 9.
  enum Authentication: String, Sendable {
    case none
    case basic = "client_secret_basic"
    case post = "client_secret_post"
    case secretJWT = "client_secret_jwt"
    case privateKeyJWT = "private_key_jwt"
    case selfSignedCertificate = "self_signed_tls_client_auth"
  }

  let id: String
  var secret: String?
  /// The public key of a client that signs assertions, as PEM.
  var key: String?
  /// The SHA-256 digest of the client's certificate; nil for a client that does not authenticate with a certificate.
  var certificate: String?
  let authentication: [Authentication]
  let grants: Set<String>
  var redirects: [String] = []
  /// Whether the client is a native app. Its redirect URI may have any port of 127.0.0.1 (RFC 8252, section 7.3).
  var isNative = false

  /// Whether a redirect URI is allowed. It must be identical to a registered URI. A native client may also use any port in
  /// `http://127.0.0.1:PORT/callback`.
  func allows(redirect: String) -> Bool {
    if redirects.contains(redirect) { return true }
    guard isNative, redirect.hasPrefix(Self.loopback) else { return false }
    let rest = redirect.dropFirst(Self.loopback.count)
    let port = rest.prefix { $0 != "/" }
    return !port.isEmpty && UInt16(port) != nil && rest.dropFirst(port.count) == "/callback"
  }

  private static let loopback = "http://127.0.0.1:"

  static let all = [
    OAuthClient(
      id: "smoke", authentication: [.none],
      grants: ["password", "authorization_code", "refresh_token", GrantType.device], redirects: ["https://app.example/callback"],
      isNative: true),
    OAuthClient(
      id: "service", secret: "service-secret", authentication: [.basic, .post],
      grants: ["password", "client_credentials", "refresh_token", GrantType.jwtBearer, GrantType.tokenExchange]),
    OAuthClient(
      id: "web", secret: "web-secret", authentication: [.basic, .post], grants: ["authorization_code", "refresh_token"],
      redirects: ["https://app.example/callback", "https://app.example/other"]),
    OAuthClient(
      id: "hmac", secret: "this-secret-has-more-than-32-bytes", authentication: [.secretJWT],
      grants: ["client_credentials", "refresh_token"]),
    OAuthClient(
      id: "signer", key: signerKey, authentication: [.privateKeyJWT],
      grants: ["client_credentials", "authorization_code", "refresh_token", GrantType.jwtBearer, GrantType.tokenExchange],
      redirects: ["https://app.example/callback"]),
    // The client that authenticates with the certificate `examples/oauth/tls/client.pem`.
    OAuthClient(
      id: "certified", certificate: "51788f72328aacb22e15f37d9ca7f9db14060e726ad449b25b7002b0b929ca24",
      authentication: [.selfSignedCertificate], grants: ["client_credentials"]),
  ]

  static func named(_ id: String) -> OAuthClient? { all.first { $0.id == id } }

  /// The public key of the client that signs assertions. The private key is `examples/oauth/signer.pem`.
  private static let signerKey = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEdHb12AU9+wn5GBiQCKE9hCGfM4hV
    f0OSpG4xhqPJFmpaArmblsYQY8TyiKy2j2UmBy1JWWr+8d2ToxBdjRL3Kw==
    -----END PUBLIC KEY-----
    """
}

/// The OAuth grant types whose names are URIs.
enum GrantType {
  /// The device authorization grant (RFC 8628).
  static let device = "urn:ietf:params:oauth:grant-type:device_code"
  /// The JWT bearer grant (RFC 7523).
  static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
  /// The token exchange grant (RFC 8693).
  static let tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
}

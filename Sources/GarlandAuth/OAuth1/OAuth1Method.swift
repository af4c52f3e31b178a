public import GarlandCrypto

/// How a request is signed (RFC 5849 section 3.4).
public enum OAuth1Method: Sendable {
  /// By HMAC with SHA-1 and both secrets.
  case hmacSHA1
  /// The same with SHA-256.
  case hmacSHA256
  /// By the client's RSA key.
  case rsaSHA1(PrivateKey)
  /// By showing both secrets: over TLS only.
  case plaintext

  /// Its name in `oauth_signature_method`.
  public var name: String {
    switch self {
    case .hmacSHA1: "HMAC-SHA1"
    case .hmacSHA256: "HMAC-SHA256"
    case .rsaSHA1: "RSA-SHA1"
    case .plaintext: "PLAINTEXT"
    }
  }
}

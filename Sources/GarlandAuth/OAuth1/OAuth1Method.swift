public import GarlandCrypto

/// The signature method (RFC 5849 section 3.4).
public enum OAuth1Method: Sendable {
  /// HMAC with SHA-1 and both secrets.
  case hmacSHA1
  /// HMAC with SHA-256 and both secrets.
  case hmacSHA256
  /// The client's RSA key with SHA-1.
  case rsaSHA1(PrivateKey)
  /// Both secrets in plain text, so use it over TLS only.
  case plaintext

  /// The name in `oauth_signature_method`.
  public var name: String {
    switch self {
    case .hmacSHA1: "HMAC-SHA1"
    case .hmacSHA256: "HMAC-SHA256"
    case .rsaSHA1: "RSA-SHA1"
    case .plaintext: "PLAINTEXT"
    }
  }
}

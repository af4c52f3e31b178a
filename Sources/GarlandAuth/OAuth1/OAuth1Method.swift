public import GarlandCrypto

/// The signature method (RFC 5849 section 3.4).
public enum OAuth1Method: Sendable {
  /// HMAC with SHA-1. The key consists of the client's secret and the token's secret.
  case hmacSHA1
  /// HMAC with SHA-256. The key consists of the client's secret and the token's secret.
  case hmacSHA256
  /// RSA with SHA-1 and the client's private key.
  case rsaSHA1(PrivateKey)
  /// The client's secret and the token's secret in plain text. Use this method only over TLS.
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

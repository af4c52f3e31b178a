public import GarlandCrypto

/// The signature method (RFC 5849 section 3.4).
public enum OAuth1Method: Sendable {
  /// HMAC with SHA-1, and with the secrets of the client and the token as its key.
  case hmacSHA1
  /// HMAC with SHA-256, and with the secrets of the client and the token as its key.
  case hmacSHA256
  /// RSA with SHA-1 and the client's private key.
  case rsaSHA1(PrivateKey)
  /// The secrets of the client and the token in plain text. Use this method only over TLS.
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

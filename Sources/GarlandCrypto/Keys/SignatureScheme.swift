import COpenSSL

/// The scheme with which a key pair creates and verifies signatures.
public enum SignatureScheme: Hashable, Sendable, CustomStringConvertible {
  /// RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2).
  case rsaPKCS1(DigestAlgorithm)
  /// RSASSA-PSS with MGF1 of the same digest and a salt of the digest's length (RFC 8017 section
  /// 8.1).
  case rsaPSS(DigestAlgorithm)
  /// ECDSA. The signature is r and s concatenated, each padded to the curve's size (RFC 7518 section 3.4).
  case ecdsa(DigestAlgorithm)
  /// Ed25519 (RFC 8032).
  case ed25519

  /// The scheme in messages, such as `RSA with SHA-256`.
  public var description: String {
    switch self {
    case .rsaPKCS1(let digest): "RSA with \(digest.rawValue)"
    case .rsaPSS(let digest): "RSA-PSS with \(digest.rawValue)"
    case .ecdsa(let digest): "ECDSA with \(digest.rawValue)"
    case .ed25519: "Ed25519"
    }
  }

  func check(_ type: KeyType) throws(KeyError) {
    switch (self, type) {
    case (.rsaPKCS1, .rsa), (.rsaPSS, .rsa), (.ecdsa, .ellipticCurve), (.ed25519, .ed25519): return
    default: throw .unfit(key: "\(type)", algorithm: "\(self)")
    }
  }

  /// Returns OpenSSL's implementation of the scheme's hash function; nil for Ed25519, which always uses the same hash function.
  func implementation() throws(KeyError) -> OpaquePointer? {
    switch self {
    case .ed25519: return nil
    case .rsaPKCS1(let digest), .rsaPSS(let digest), .ecdsa(let digest):
      guard let implementation = digest.implementation else { throw .crypto(.fromQueue(digest.rawValue)) }
      return implementation
    }
  }

  func configure(_ context: OpaquePointer?) throws(KeyError) {
    guard case .rsaPSS = self else { return }
    guard EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1,
      EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1
    else { throw .crypto(.fromQueue("\(self)")) }
  }
}

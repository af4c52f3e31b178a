/// The supported algorithms of JSON Web Signatures (RFC 7518 section 3.1, RFC 8037), by their
/// registered names.
///
/// `none` is not supported: a token without a signature is never valid.
public enum SignatureAlgorithm: String, Hashable, Sendable, CaseIterable {
  /// HMAC with a shared secret and SHA-256.
  case hs256 = "HS256"
  /// HMAC with SHA-384.
  case hs384 = "HS384"
  /// HMAC with SHA-512.
  case hs512 = "HS512"
  /// RSA (PKCS #1 v1.5) with SHA-256.
  case rs256 = "RS256"
  /// RSA (PKCS #1 v1.5) with SHA-384.
  case rs384 = "RS384"
  /// RSA (PKCS #1 v1.5) with SHA-512.
  case rs512 = "RS512"
  /// RSA-PSS with SHA-256.
  case ps256 = "PS256"
  /// RSA-PSS with SHA-384.
  case ps384 = "PS384"
  /// RSA-PSS with SHA-512.
  case ps512 = "PS512"
  /// ECDSA on P-256 with SHA-256.
  case es256 = "ES256"
  /// ECDSA on P-384 with SHA-384.
  case es384 = "ES384"
  /// ECDSA on P-521 with SHA-512.
  case es512 = "ES512"
  /// Ed25519.
  case edDSA = "EdDSA"

  /// Whether signing and verifying use the same secret.
  public var isSymmetric: Bool { macDigest != nil }

  /// The hash function of an HMAC algorithm; nil for any other algorithm.
  var macDigest: DigestAlgorithm? {
    switch self {
    case .hs256: .sha256
    case .hs384: .sha384
    case .hs512: .sha512
    default: nil
    }
  }

  /// The signature scheme of an algorithm with a key pair; nil for HMAC.
  var scheme: SignatureScheme? {
    switch self {
    case .hs256, .hs384, .hs512: nil
    case .rs256: .rsaPKCS1(.sha256)
    case .rs384: .rsaPKCS1(.sha384)
    case .rs512: .rsaPKCS1(.sha512)
    case .ps256: .rsaPSS(.sha256)
    case .ps384: .rsaPSS(.sha384)
    case .ps512: .rsaPSS(.sha512)
    case .es256: .ecdsa(.sha256)
    case .es384: .ecdsa(.sha384)
    case .es512: .ecdsa(.sha512)
    case .edDSA: .ed25519
    }
  }

  /// Whether a key of the given type may be used with the algorithm. RSA requires at least 2,048 bits (RFC 7518 section 3.3), and each
  /// curve has its own algorithm.
  func fits(_ type: KeyType) -> Bool {
    switch (self, type) {
    case (.rs256, .rsa(let bits)), (.rs384, .rsa(let bits)), (.rs512, .rsa(let bits)), (.ps256, .rsa(let bits)),
      (.ps384, .rsa(let bits)), (.ps512, .rsa(let bits)):
      bits >= 2048
    case (.es256, .ellipticCurve(.p256)), (.es384, .ellipticCurve(.p384)), (.es512, .ellipticCurve(.p521)), (.edDSA, .ed25519): true
    default: false
    }
  }
}

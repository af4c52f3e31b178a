/// The NIST curves of JSON Web Keys, by their names in RFC 7518 section 6.2.1.1.
public enum EllipticCurve: String, Hashable, Sendable, CaseIterable {
  /// 256 bits: `ES256`.
  case p256 = "P-256"
  /// 384 bits: `ES384`.
  case p384 = "P-384"
  /// 521 bits: `ES512`.
  case p521 = "P-521"

  /// The length of a coordinate, and of each half of a signature, in bytes.
  public var coordinateByteCount: Int {
    switch self {
    case .p256: 32
    case .p384: 48
    case .p521: 66
    }
  }

  /// The digest of the curve in JSON Web Signatures (RFC 7518 section 3.4).
  public var digest: DigestAlgorithm {
    switch self {
    case .p256: .sha256
    case .p384: .sha384
    case .p521: .sha512
    }
  }
}

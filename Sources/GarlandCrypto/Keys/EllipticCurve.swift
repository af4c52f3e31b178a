/// The NIST curves of JSON Web Keys (RFC 7518 section 6.2.1.1), by the names they have there.
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

  /// The digest that goes with it in JSON Web Signatures (RFC 7518 section 3.4).
  public var digest: DigestAlgorithm {
    switch self {
    case .p256: .sha256
    case .p384: .sha384
    case .p521: .sha512
    }
  }
}

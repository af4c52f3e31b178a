/// The NIST curves of JSON Web Keys, by their names in RFC 7518 section 6.2.1.1.
public enum EllipticCurve: String, Hashable, Sendable, CaseIterable {
  /// P-256, a curve of 256 bits, for `ES256`.
  case p256 = "P-256"
  /// P-384, a curve of 384 bits, for `ES384`.
  case p384 = "P-384"
  /// P-521, a curve of 521 bits, for `ES512`.
  case p521 = "P-521"

  /// The length in bytes of a coordinate, and of each half of a signature.
  public var coordinateByteCount: Int {
    switch self {
    case .p256: 32
    case .p384: 48
    case .p521: 66
    }
  }
}

/// What kind of key a key is.
public enum KeyType: Hashable, Sendable, CustomStringConvertible {
  /// RSA with a modulus of so many bits.
  case rsa(bits: Int)
  /// An elliptic curve of NIST's.
  case ellipticCurve(EllipticCurve)
  /// Edwards' curve 25519 (RFC 8032).
  case ed25519

  /// As people write it: `RSA 2048`, `EC P-256`, `Ed25519`.
  public var description: String {
    switch self {
    case .rsa(let bits): "RSA \(bits)"
    case .ellipticCurve(let curve): "EC \(curve.rawValue)"
    case .ed25519: "Ed25519"
    }
  }
}

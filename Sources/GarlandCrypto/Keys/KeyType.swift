/// The type of a key.
public enum KeyType: Hashable, Sendable, CustomStringConvertible {
  /// RSA. `bits` is the length of the modulus.
  case rsa(bits: Int)
  /// A NIST elliptic curve.
  case ellipticCurve(EllipticCurve)
  /// Ed25519, on Edwards' curve 25519 (RFC 8032).
  case ed25519

  /// The type in messages: `RSA 2048`, `EC P-256`, `Ed25519`.
  public var description: String {
    switch self {
    case .rsa(let bits): "RSA \(bits)"
    case .ellipticCurve(let curve): "EC \(curve.rawValue)"
    case .ed25519: "Ed25519"
    }
  }
}

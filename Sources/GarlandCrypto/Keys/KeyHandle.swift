import COpenSSL

/// An OpenSSL key, which is freed when its last reference is released.
///
/// `@unchecked Sendable`: no code changes the key after its creation, and its reference count is
/// atomic. OpenSSL allows any number of threads to sign and verify with one key, each with a
/// separate context (openssl-threads(7)).
final class KeyHandle: @unchecked Sendable {
  let pointer: OpaquePointer
  let type: KeyType

  /// Takes ownership of a key that OpenSSL has created.
  init(taking pointer: OpaquePointer) throws(KeyError) {
    do throws(KeyError) {
      type = try Self.type(of: pointer)
    } catch {
      EVP_PKEY_free(pointer)
      throw error
    }
    self.pointer = pointer
  }

  deinit { EVP_PKEY_free(pointer) }

  private static func type(of key: OpaquePointer) throws(KeyError) -> KeyType {
    switch EVP_PKEY_get_base_id(key) {
    case EVP_PKEY_RSA: return .rsa(bits: Int(EVP_PKEY_get_bits(key)))
    case EVP_PKEY_ED25519: return .ed25519
    case EVP_PKEY_EC:
      var name = [CChar](repeating: 0, count: 80)
      guard EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, &name, name.count, nil) == 1 else {
        throw .crypto(.fromQueue("the curve of a key"))
      }
      let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      switch text {
      case "prime256v1", "P-256": return .ellipticCurve(.p256)
      case "secp384r1", "P-384": return .ellipticCurve(.p384)
      case "secp521r1", "P-521": return .ellipticCurve(.p521)
      default: throw .unsupported("the curve \(text)")
      }
    default:
      let name = EVP_PKEY_get0_type_name(key).map { String(cString: $0) } ?? "unknown"
      throw .unsupported("a key of type \(name)")
    }
  }

  /// Returns a numeric parameter of the key, big-endian and padded with leading zeros to `width` bytes.
  func number(_ parameter: String, width: Int? = nil) throws(KeyError) -> [UInt8] {
    var number: OpaquePointer?
    guard EVP_PKEY_get_bn_param(pointer, parameter, &number) == 1, let number else {
      throw .crypto(.fromQueue("reading \(parameter) of a key"))
    }
    defer { BN_clear_free(number) }
    let needed = Int(BN_num_bits(number) + 7) / 8
    var bytes = [UInt8](repeating: 0, count: max(width ?? needed, needed))
    guard BN_bn2binpad(number, &bytes, Int32(bytes.count)) >= 0 else { throw .crypto(.fromQueue("reading \(parameter) of a key")) }
    return bytes
  }

  /// Returns the bytes of an Ed25519 key: the private or the public half.
  func raw(private isPrivate: Bool) throws(KeyError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    var count = bytes.count
    let status = isPrivate ? EVP_PKEY_get_raw_private_key(pointer, &bytes, &count) : EVP_PKEY_get_raw_public_key(pointer, &bytes, &count)
    guard status == 1 else { throw .crypto(.fromQueue("reading an Ed25519 key")) }
    return Array(bytes.prefix(count))
  }
}

/// The algorithm for which a key was made, with its length or curve.
public enum KeyType: Hashable, Sendable, CustomStringConvertible {
  /// An RSA key. `bits` is the length of its modulus in bits.
  case rsa(bits: Int)
  /// A key on one of the NIST elliptic curves.
  case ellipticCurve(EllipticCurve)
  /// An Ed25519 key, on Edwards' curve 25519 (RFC 8032).
  case ed25519

  /// The name of the type for messages: `RSA 2048`, `EC P-256`, `Ed25519`.
  public var description: String {
    switch self {
    case .rsa(let bits): "RSA \(bits)"
    case .ellipticCurve(let curve): "EC \(curve.rawValue)"
    case .ed25519: "Ed25519"
    }
  }
}

/// The NIST curves of JSON Web Keys, by their names in RFC 7518 section 6.2.1.1.
public enum EllipticCurve: String, Hashable, Sendable, CaseIterable {
  /// P-256, a curve of 256 bits, for `ES256`.
  case p256 = "P-256"
  /// P-384, a curve of 384 bits, for `ES384`.
  case p384 = "P-384"
  /// P-521, a curve of 521 bits, for `ES512`.
  case p521 = "P-521"

  /// The length in bytes of a coordinate, and of each half of a signature.
  var coordinateByteCount: Int {
    switch self {
    case .p256: 32
    case .p384: 48
    case .p521: 66
    }
  }
}

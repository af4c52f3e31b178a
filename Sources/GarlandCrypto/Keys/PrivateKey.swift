import COpenSSL

/// A private key, which creates signatures.
///
/// ```swift
/// let key = try PrivateKey(pem: text)
/// let signature = try key.signature(of: message, using: .ecdsa(.sha256))
/// ```
public struct PrivateKey: Sendable, CustomStringConvertible {
  /// The kinds of keys that ``generate(_:)`` can create.
  public enum Kind: Hashable, Sendable {
    /// An RSA key. `bits` is the length of its modulus in bits, at least 2,048.
    case rsa(bits: Int)
    /// A key on a NIST curve.
    case ellipticCurve(EllipticCurve)
    /// A key on Edwards' curve 25519.
    case ed25519
  }

  let handle: KeyHandle

  init(_ handle: KeyHandle) { self.handle = handle }

  /// Parses PKCS #8, PKCS #1 or SEC 1 text (`-----BEGIN PRIVATE KEY-----`, `RSA PRIVATE KEY`, `EC
  /// PRIVATE KEY`), encrypted or not.
  ///
  /// For an encrypted key it throws ``KeyError/passphraseNeeded`` or ``KeyError/wrongPassphrase``;
  /// it never asks for a passphrase on the terminal.
  public init(pem: String, passphrase: String? = nil) throws(KeyError) {
    handle = try PEM.privateKey(pem, passphrase: passphrase)
  }

  /// Generates a key. An RSA key of 2,048 bits takes 50 to 500 ms.
  public static func generate(_ kind: Kind) throws(KeyError) -> PrivateKey {
    let name =
      switch kind {
      case .rsa: "RSA"
      case .ellipticCurve: "EC"
      case .ed25519: "ED25519"
      }
    guard let context = EVP_PKEY_CTX_new_from_name(nil, name, nil), EVP_PKEY_keygen_init(context) == 1 else {
      throw .crypto(.fromQueue("making a key"))
    }
    defer { EVP_PKEY_CTX_free(context) }
    switch kind {
    case .rsa(let bits):
      guard (2048...16384).contains(bits) else { throw .unsupported("an RSA key of \(bits) bits") }
      guard EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits)) == 1 else { throw .crypto(.fromQueue("making a key")) }
    case .ellipticCurve(let curve):
      guard EVP_PKEY_CTX_set_group_name(context, curve.rawValue) == 1 else { throw .crypto(.fromQueue("making a key")) }
    case .ed25519: break
    }
    var key: OpaquePointer?
    guard EVP_PKEY_generate(context, &key) == 1, let key else { throw .crypto(.fromQueue("making a key")) }
    return PrivateKey(try KeyHandle(taking: key))
  }

  /// The type of the key.
  var type: KeyType { handle.type }

  /// The public half of the pair.
  public var publicKey: PublicKey { PublicKey(handle) }

  /// Signs `message`.
  ///
  /// An ECDSA signature has the form of JSON Web Signatures: r and s concatenated, each padded to the curve's
  /// size.
  ///
  /// Throws ``KeyError/unfit(key:algorithm:)`` if the scheme requires a different type of key.
  public func signature(of message: [UInt8], using scheme: SignatureScheme) throws(KeyError) -> [UInt8] {
    try scheme.check(type)
    guard let context = EVP_MD_CTX_new() else { throw .crypto(.fromQueue("\(scheme)")) }
    defer { EVP_MD_CTX_free(context) }
    var parameters: OpaquePointer?
    guard EVP_DigestSignInit(context, &parameters, try scheme.implementation(), nil, handle.pointer) == 1 else {
      throw .crypto(.fromQueue("\(scheme)"))
    }
    try scheme.configure(parameters)
    var count = 0
    guard EVP_DigestSign(context, nil, &count, message, message.count) == 1 else { throw .crypto(.fromQueue("\(scheme)")) }
    var output = [UInt8](repeating: 0, count: count)
    guard EVP_DigestSign(context, &output, &count, message, message.count) == 1 else { throw .crypto(.fromQueue("\(scheme)")) }
    output.removeLast(output.count - count)
    guard case .ellipticCurve(let curve) = type else { return output }
    guard let raw = ECDSASignature.decode(output, width: curve.coordinateByteCount) else { throw .crypto(.fromQueue("\(scheme)")) }
    return raw
  }

  /// A description with the type of the key, without the key itself.
  public var description: String { "private key (\(type))" }
}

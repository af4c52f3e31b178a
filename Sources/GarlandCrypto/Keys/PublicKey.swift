import COpenSSL

/// A public key, which verifies signatures.
///
/// ```swift
/// let key = try PublicKey(pem: text)
/// let isGenuine = try key.isValid(signature, for: message, using: .rsaPKCS1(.sha256))
/// ```
public struct PublicKey: Sendable, CustomStringConvertible {
  let handle: KeyHandle

  init(_ handle: KeyHandle) { self.handle = handle }

  /// Parses `-----BEGIN PUBLIC KEY-----`, or takes the key from the first certificate in the text.
  public init(pem: String) throws(KeyError) { handle = try PEM.publicKey(pem) }

  /// The type of the key.
  var type: KeyType { handle.type }

  /// Whether `signature` is a valid signature of `message` by the owner of the private key.
  ///
  /// If the length or form of the signature is wrong, the signature is invalid, but no error is thrown.
  ///
  /// Throws ``KeyError/unfit(key:algorithm:)`` if the scheme requires a different type of key.
  public func isValid(
    _ signature: [UInt8], for message: [UInt8], using scheme: SignatureScheme
  ) throws(KeyError) -> Bool {
    try scheme.check(type)
    var wire = signature
    if case .ellipticCurve(let curve) = type {
      guard signature.count == curve.coordinateByteCount * 2, let encoded = ECDSASignature.encode(signature) else { return false }
      wire = encoded
    }
    guard let context = EVP_MD_CTX_new() else { throw .crypto(.fromQueue("\(scheme)")) }
    defer { EVP_MD_CTX_free(context) }
    var parameters: OpaquePointer?
    guard EVP_DigestVerifyInit(context, &parameters, try scheme.implementation(), nil, handle.pointer) == 1 else {
      throw .crypto(.fromQueue("\(scheme)"))
    }
    try scheme.configure(parameters)
    let status = EVP_DigestVerify(context, wire, wire.count, message, message.count)
    if status != 1 { ERR_clear_error() }
    return status == 1
  }

  /// A description with the type of the key.
  public var description: String { "public key (\(type))" }
}

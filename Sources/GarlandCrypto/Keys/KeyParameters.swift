import COpenSSL

/// Collects the parameters from which OpenSSL creates a key.
///
/// It is not `Sendable`, since it exists only while one key is created.
final class KeyParameters {
  private let builder: OpaquePointer
  /// The numeric parameters. They must live until OpenSSL has copied them for the finished key.
  private var numbers: [OpaquePointer] = []

  init() throws(KeyError) {
    guard let builder = OSSL_PARAM_BLD_new() else { throw .crypto(.fromQueue("making a key")) }
    self.builder = builder
  }

  deinit {
    for number in numbers { BN_clear_free(number) }
    OSSL_PARAM_BLD_free(builder)
  }

  func add(_ name: StaticString, number bytes: [UInt8]) throws(KeyError) {
    guard let number = BN_bin2bn(bytes, Int32(clamping: bytes.count), nil) else { throw .crypto(.fromQueue("making a key")) }
    numbers.append(number)
    guard OSSL_PARAM_BLD_push_BN(builder, Self.pointer(name), number) == 1 else { throw .crypto(.fromQueue("making a key")) }
  }

  /// Adds a text parameter. OpenSSL keeps the address of `text`, so the caller must not free its memory before the key is created. The same
  /// applies to `octets` in the other overload.
  func add(_ name: StaticString, text: UnsafePointer<CChar>) throws(KeyError) {
    guard OSSL_PARAM_BLD_push_utf8_string(builder, Self.pointer(name), text, 0) == 1 else { throw .crypto(.fromQueue("making a key")) }
  }

  func add(_ name: StaticString, octets: UnsafeRawBufferPointer) throws(KeyError) {
    guard OSSL_PARAM_BLD_push_octet_string(builder, Self.pointer(name), octets.baseAddress, octets.count) == 1 else {
      throw .crypto(.fromQueue("making a key"))
    }
  }

  /// Creates the key. `algorithm` is OpenSSL's name for the type of key, such as `EC`. Throws an error if the private and the public half
  /// do not belong to the same key.
  func makeKey(_ algorithm: String, private isPrivate: Bool) throws(KeyError) -> KeyHandle {
    guard let parameters = OSSL_PARAM_BLD_to_param(builder) else { throw .crypto(.fromQueue("making a key")) }
    defer { OSSL_PARAM_free(parameters) }
    guard let context = EVP_PKEY_CTX_new_from_name(nil, algorithm, nil) else { throw .crypto(.fromQueue("making a key")) }
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_fromdata_init(context) == 1,
      EVP_PKEY_fromdata(context, &key, isPrivate ? garland_pkey_keypair() : garland_pkey_public(), parameters) == 1, let key
    else {
      ERR_clear_error()
      throw .malformed("its numbers are not a valid \(algorithm) key")
    }
    let handle = try KeyHandle(taking: key)
    // Reading a public point already checks that it is on its curve.
    if isPrivate { try Self.checkPair(handle) }
    return handle
  }

  private static func checkPair(_ key: KeyHandle) throws(KeyError) {
    let belongsTogether: Bool
    if case .rsa = key.type {
      // OpenSSL's own check needs the primes, which a key may lack.
      let message: [UInt8] = [0]
      let signature = try PrivateKey(key).signature(of: message, using: .rsaPKCS1(.sha256))
      belongsTogether = try PublicKey(key).isValid(signature, for: message, using: .rsaPKCS1(.sha256))
    } else {
      guard let check = EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil) else { throw .crypto(.fromQueue("checking a key")) }
      defer { EVP_PKEY_CTX_free(check) }
      belongsTogether = EVP_PKEY_pairwise_check(check) == 1
    }
    guard belongsTogether else {
      ERR_clear_error()
      throw .malformed("its private and public numbers do not match")
    }
  }

  private static func pointer(_ name: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}

import COpenSSL

/// Reads keys from PEM text (RFC 7468).
enum PEM {
  /// The state of the callback with which OpenSSL requests a passphrase: the passphrase, and
  /// whether OpenSSL has requested it.
  private struct Asked {
    let passphrase: [UInt8]?
    var wasAsked = false
  }

  static func privateKey(_ text: String, passphrase: String?) throws(KeyError) -> KeyHandle {
    var asked = Asked(passphrase: passphrase.map { Array($0.utf8) })
    let key = try withReader(text) { reader in
      withUnsafeMutablePointer(to: &asked) { asked in
        // The callback is always set: without one, OpenSSL would ask on the terminal.
        PEM_read_bio_PrivateKey(reader, nil, { PEM.answer(buffer: $0, size: $1, asked: $3) }, asked)
      }
    }
    guard let key else {
      ERR_clear_error()
      if asked.wasAsked { throw asked.passphrase == nil ? .passphraseNeeded : .wrongPassphrase }
      throw .malformed("there is no readable private key in PEM form (-----BEGIN PRIVATE KEY-----)")
    }
    return try KeyHandle(taking: key)
  }

  /// Parses a `PUBLIC KEY` text, or takes the key from a `CERTIFICATE` text.
  static func publicKey(_ text: String) throws(KeyError) -> KeyHandle {
    let isCertificate = text.contains("-----BEGIN CERTIFICATE-----")
    let key: OpaquePointer? = try withReader(text) { reader in
      guard isCertificate else { return PEM_read_bio_PUBKEY(reader, nil, { PEM.answer(buffer: $0, size: $1, asked: $3) }, nil) }
      guard let certificate = PEM_read_bio_X509(reader, nil, { PEM.answer(buffer: $0, size: $1, asked: $3) }, nil) else { return nil }
      defer { X509_free(certificate) }
      return X509_get_pubkey(certificate)
    }
    guard let key else {
      ERR_clear_error()
      throw .malformed("there is no readable public key or certificate in PEM form (-----BEGIN PUBLIC KEY-----)")
    }
    return try KeyHandle(taking: key)
  }

  private static func withReader(_ text: String, _ body: (OpaquePointer) -> OpaquePointer?) throws(KeyError) -> OpaquePointer? {
    let bytes = Array(text.utf8)
    guard let size = Int32(exactly: bytes.count) else { throw .malformed("it is larger than 2 GiB") }
    let outcome: Result<OpaquePointer?, KeyError> = bytes.withUnsafeBytes { bytes in
      guard let reader = BIO_new_mem_buf(bytes.baseAddress, size) else { return .failure(.crypto(.fromQueue("reading a key"))) }
      defer { BIO_free(reader) }
      return .success(body(reader))
    }
    return try outcome.get()
  }

  private static func answer(buffer: UnsafeMutablePointer<CChar>?, size: Int32, asked: UnsafeMutableRawPointer?) -> Int32 {
    guard let asked = asked?.assumingMemoryBound(to: Asked.self) else { return -1 }
    asked.pointee.wasAsked = true
    guard let passphrase = asked.pointee.passphrase, let buffer, passphrase.count <= Int(size) else { return -1 }
    for (index, byte) in passphrase.enumerated() { buffer[index] = CChar(bitPattern: byte) }
    return Int32(passphrase.count)
  }
}

import COpenSSL
import GarlandText

extension Certificate {
  /// Returns the certificates in `bytes`. If `bytes` is a PEM text, returns all certificates in the text, and ignores other text between
  /// them. If `bytes` is in DER, returns the single certificate.
  public static func all(in bytes: [UInt8]) throws(TrustConfigurationError) -> [Certificate] {
    // The first byte of an ASN.1 sequence. No text begins with this byte.
    if bytes.first == 0x30 { return [try Certificate(der: bytes)] }
    var found: [Certificate] = []
    var isBroken = false
    bytes.withUnsafeBytes { buffer in
      guard let text = BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count)) else { return isBroken = true }
      defer { BIO_free(text) }
      var isEnd: Int32 = 0
      while let certificate = garland_read_certificate(text, &isEnd) {
        defer { X509_free(certificate) }
        guard let certificate = Certificate(certificate) else { return isBroken = true }
        found.append(certificate)
      }
      if isEnd == 0 { isBroken = true }
    }
    if isBroken { throw .certificate(detail: "certificate \(found.count + 1) in the text is broken") }
    if found.isEmpty { throw .certificate(detail: "the text contains no certificate") }
    return found
  }

  /// Returns all certificates in a PEM file, or the single certificate in a DER file.
  public static func all(inFile path: String) throws(TrustConfigurationError) -> [Certificate] {
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try FileContent.read(path)
    } catch {
      throw .file(error)
    }
    do throws(TrustConfigurationError) {
      return try all(in: bytes)
    } catch {
      if case .certificate(let detail) = error { throw .certificate(detail: "\(path): \(detail)") }
      throw error
    }
  }

  /// The certificate as PEM text.
  public var pem: String {
    var text = "-----BEGIN CERTIFICATE-----\n"
    var line = Base64.encode(der)[...]
    while !line.isEmpty {
      text += line.prefix(64) + "\n"
      line = line.dropFirst(64)
    }
    return text + "-----END CERTIFICATE-----\n"
  }
}

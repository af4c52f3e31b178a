import COpenSSL
import GarlandCrypto
import Glibc

/// An X.509 certificate.
///
/// ```swift
/// for certificate in try Certificate.all(inFile: "ca.pem") { print(certificate.subject, certificate.publicKeyPin) }
/// ```
public struct Certificate: Sendable, Hashable, CustomStringConvertible {
  /// The certificate in DER.
  public let der: [UInt8]
  /// The pin of the certificate's public key.
  public let publicKeyPin: PublicKeyPin
  /// Whether the certificate requires a stapled OCSP response. The value is stored, because parsing with
  /// OpenSSL is slow.
  let promisesStaple: Bool

  /// Creates a certificate from DER.
  public init(der: [UInt8]) throws(TrustConfigurationError) {
    let certificate: Certificate? = Self.withParsed(der) { Certificate($0) } ?? nil
    guard let certificate else { throw .certificate(detail: "it is not a certificate in DER") }
    self = certificate
  }

  /// Copies a certificate of OpenSSL. Returns nil if the certificate or its key cannot be encoded.
  init?(_ certificate: OpaquePointer) {
    guard let key = X509_get_X509_PUBKEY(certificate), let der = Self.encoded({ i2d_X509(certificate, $0) }),
      let spki = Self.encoded({ i2d_X509_PUBKEY(key, $0) }), let pin = try? PublicKeyPin(ofKey: spki)
    else { return nil }
    self.der = der
    publicKeyPin = pin
    promisesStaple = garland_must_staple(certificate) == 1
  }

  /// Whether both certificates have the same bytes.
  public static func == (left: Self, right: Self) -> Bool { left.der == right.der }

  /// Hashes the bytes of the certificate.
  public func hash(into hasher: inout Hasher) { hasher.combine(der) }

  // MARK: Contents

  /// The subject, as in `CN=example.com,O=Example`. The subject is often empty, since clients compare the name of a host with the
  /// alternative names instead.
  public var subject: String { Self.withParsed(der) { Self.text(of: X509_get_subject_name($0)) } ?? "" }
  /// The issuer's name, in the same form as ``subject``.
  public var issuer: String { Self.withParsed(der) { Self.text(of: X509_get_issuer_name($0)) } ?? "" }
  /// The start of the validity period in seconds since 1970.
  public var notBefore: Int64 { Self.withParsed(der) { Self.seconds(X509_get0_notBefore($0)) ?? 0 } ?? 0 }
  /// The end of the validity period in seconds since 1970.
  public var notAfter: Int64 { Self.withParsed(der) { Self.seconds(X509_get0_notAfter($0)) ?? 0 } ?? 0 }
  /// The SHA-256 digest of the certificate in lower-case hexadecimal, as shown by browsers and
  /// `openssl x509 -fingerprint -sha256`.
  public var fingerprint: String { (try? Digest(of: der, using: .sha256).hex) ?? "" }
  /// The subject, or the fingerprint if the subject is empty.
  public var description: String {
    let subject = subject
    return subject.isEmpty ? "certificate \(fingerprint)" : subject
  }

  // MARK: OpenSSL

  static func withParsed<Value>(_ der: [UInt8], _ body: (OpaquePointer) -> Value) -> Value? {
    der.withUnsafeBufferPointer { buffer in
      var position = buffer.baseAddress
      guard let certificate = d2i_X509(nil, &position, buffer.count) else {
        ERR_clear_error()
        return nil
      }
      defer { X509_free(certificate) }
      // Bytes after the certificate are refused: comparisons would include them, although they are not part of
      // the certificate.
      return position == buffer.baseAddress.map({ $0 + buffer.count }) ? body(certificate) : nil
    }
  }

  /// Returns the output of an OpenSSL encoder; nil if the encoder fails. The encoder is called twice: first for the length, then for the
  /// bytes.
  static func encoded(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8]? {
    let length = write(nil)
    guard length > 0 else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
      var position = buffer.baseAddress
      count = Int(max(write(&position), 0))
    }
    return bytes.count == Int(length) ? bytes : nil
  }

  private static func text(of name: OpaquePointer?) -> String {
    guard let name else { return "" }
    // 512 bytes are enough for realistic names; longer names are truncated.
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
      let count = Int(garland_name_text(name, buffer.baseAddress, Int32(buffer.count)))
      return String(decoding: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]), as: UTF8.self)
    }
  }

  /// Converts a time of OpenSSL to seconds since 1970; nil if it is invalid.
  static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    var parts = tm()
    guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
    return Int64(timegm(&parts))
  }
}

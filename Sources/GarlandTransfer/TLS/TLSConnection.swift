import CCurl
import COpenSSL

/// The TLS connection that a transfer is about to use. The value is valid only during a libcurl callback,
/// since libcurl owns the connection.
struct TLSConnection {
  private let ssl: OpaquePointer

  /// Returns the TLS connection of a libcurl easy handle; nil if the handle has no connection, or the
  /// connection does not use OpenSSL.
  init?(of handle: OpaquePointer) {
    var info: UnsafeMutableRawPointer?
    garland_getinfo_pointer(handle, CURLINFO_TLS_SSL_PTR, &info)
    guard let ssl = garland_openssl_connection(info) else { return nil }
    self.ssl = OpaquePointer(ssl)
  }

  /// The certificate chain from the server's certificate to a trusted certificate; nil if no chain was verified.
  var verifiedChain: [Certificate]? {
    // A chain exists even after a failed verification, and none after a resumed handshake.
    guard SSL_get_verify_result(ssl) == Int(X509_V_OK) else { return nil }
    let chain = certificates(SSL_get0_verified_chain(ssl))
    return chain?.isEmpty == false ? chain : nil
  }

  /// The certificates that the server sent, the server's certificate first; nil if one of them cannot be read.
  var presentedChain: [Certificate]? { certificates(SSL_get_peer_cert_chain(ssl)) }

  /// The TLS properties to report in the metrics.
  var security: ConnectionSecurity {
    let version = String(cString: SSL_get_version(ssl))
    return ConnectionSecurity(
      version: version.hasPrefix("TLSv") ? version == "TLSv1" ? "1.0" : String(version.dropFirst(4)) : version,
      cipherSuite: String(cString: garland_cipher_name(ssl)), certificate: garland_peer_certificate(ssl).flatMap { Certificate($0) })
  }

  /// The OCSP response that the server stapled to its certificate; nil if it sent none.
  var stapledResponse: [UInt8]? {
    var bytes: UnsafePointer<UInt8>?
    let count = garland_stapled_response(ssl, &bytes)
    guard count > 0, let bytes else { return nil }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  private func certificates(_ list: OpaquePointer?) -> [Certificate]? {
    var found: [Certificate] = []
    for index in 0..<garland_certificate_count(list) {
      guard let pointer = garland_certificate_at(list, index), let certificate = Certificate(pointer) else { return nil }
      found.append(certificate)
    }
    return found
  }
}

import CCurl
import COpenSSL

/// The TLS connection that a transfer is about to use. Lives as long as a callback of libcurl's: the connection is libcurl's.
struct TLSConnection {
  private let ssl: OpaquePointer

  /// The connection of one of libcurl's easy handles; nil if there is none, or none of OpenSSL's.
  init?(of handle: OpaquePointer) {
    var info: UnsafeMutableRawPointer?
    garland_getinfo_pointer(handle, CURLINFO_TLS_SSL_PTR, &info)
    guard let ssl = garland_openssl_connection(info) else { return nil }
    self.ssl = OpaquePointer(ssl)
  }

  /// The chain from the server's certificate to one that is trusted; nil if there is none that holds.
  var verifiedChain: [Certificate]? {
    // A chain is there after a failed verification as well, and after a resumed handshake none is.
    guard SSL_get_verify_result(ssl) == Int(X509_V_OK) else { return nil }
    let chain = certificates(SSL_get0_verified_chain(ssl))
    return chain?.isEmpty == false ? chain : nil
  }

  /// What the server sent, its own certificate first.
  var presentedChain: [Certificate]? { certificates(SSL_get_peer_cert_chain(ssl)) }

  /// What is told of it.
  var security: ConnectionSecurity {
    let version = String(cString: SSL_get_version(ssl))
    return ConnectionSecurity(
      version: version.hasPrefix("TLSv") ? version == "TLSv1" ? "1.0" : String(version.dropFirst(4)) : version,
      cipherSuite: String(cString: garland_cipher_name(ssl)), certificate: garland_peer_certificate(ssl).flatMap { Certificate($0) })
  }

  /// The OCSP response that the server sent with its certificate.
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

import CBrotli
import CCurl
import COpenSSL
import CPSL
import CZlib
import CZstd

/// The libraries with which this process runs. Their versions may differ from those at build time.
package enum LinkedLibraries {
  /// The names and versions of the libraries, sorted by name.
  package static var versions: [(name: String, version: String)] {
    var found: [(name: String, version: String)] = []
    func add(_ name: String, _ version: UnsafePointer<CChar>?) {
      guard let version else { return }
      found.append((name, String(cString: version)))
    }
    let info = curl_version_info(garland_version_now)?.pointee
    add("curl", info?.version)
    add("nghttp2", info?.nghttp2_version)
    add("libidn2", info?.libidn)
    add("libpsl", psl_get_version())
    add("OpenSSL", OpenSSL_version(OPENSSL_VERSION_STRING))
    add("zlib", zlibVersion())
    add("zstd", ZSTD_versionString())
    found.append(("brotli", version(ofBrotli: BrotliDecoderVersion())))
    return found.sorted { $0.name.lowercased() < $1.name.lowercased() }
  }

  /// The features of the linked libcurl that matter to users, sorted by name.
  package static var features: [String] {
    let bits = curl_version_info(garland_version_now)?.pointee.features ?? 0
    let known: [(bit: Int32, name: String)] = [
      (CURL_VERSION_ASYNCHDNS, "asynchronous name resolution"), (CURL_VERSION_GSSAPI, "GSS-API"), (CURL_VERSION_HTTP2, "HTTP/2"),
      (CURL_VERSION_HTTP3, "HTTP/3"), (CURL_VERSION_HTTPS_PROXY, "HTTPS proxies"), (CURL_VERSION_IDN, "IDN"), (CURL_VERSION_IPV6, "IPv6"),
      (CURL_VERSION_NTLM, "NTLM"), (CURL_VERSION_SPNEGO, "Negotiate"), (CURL_VERSION_SSL, "TLS"),
      (CURL_VERSION_UNIX_SOCKETS, "Unix sockets"),
    ]
    return known.filter { bits & $0.bit != 0 }.map(\.name).sorted { $0.lowercased() < $1.lowercased() }
  }

  /// Decodes Brotli's version number: 12 bits for each of the last two parts.
  private static func version(ofBrotli number: UInt32) -> String { "\(number >> 24).\(number >> 12 & 0xFFF).\(number & 0xFFF)" }
}

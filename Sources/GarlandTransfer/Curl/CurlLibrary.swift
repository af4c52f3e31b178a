import CCurl
import Glibc
import Synchronization

/// The libcurl that this process uses: its version and its abilities.
struct CurlLibrary: Sendable {
  /// The version of libcurl, such as `7.88.1`.
  let version: String
  /// The value of `Accept-Encoding`: all content codings that the library GarlandTransfer decodes itself, in curl's order.
  let contentCodings: String
  let hasNTLM: Bool
  let hasNegotiate: Bool
  /// Whether a clear-text HTTP/2 connection can be reused. When libcurl 7.88 reuses such a connection, it
  /// sets up HTTP/2 a second time and fails (curl#10634).
  var keepsClearHTTP2 = true

  /// The minimum version of libcurl, 7.87. Since this version, libcurl caches the store of certificate authorities, and name lookups can be
  /// cancelled.
  static let minimumVersion: UInt32 = 0x075700

  /// The loaded libcurl, or the error if libcurl cannot be used. libcurl is initialised on first use, once per process.
  static let shared: Result<CurlLibrary, NetworkingError> = load()

  private static func load() -> Result<CurlLibrary, NetworkingError> {
    let status = curl_global_init(garland_global_default)
    guard status == CURLE_OK else {
      return .failure(NetworkingError(.library(code: Int32(status.rawValue), detail: "libcurl could not be initialised")))
    }
    guard let info = curl_version_info(garland_version_now)?.pointee else {
      return .failure(NetworkingError(.unsupported("this libcurl does not report its version")))
    }
    let version = info.version.map { String(cString: $0) } ?? "?"
    guard info.version_num >= minimumVersion else {
      return .failure(NetworkingError(.unsupported("libcurl \(version), 7.87 or later is needed")))
    }
    guard info.features & CURL_VERSION_SSL != 0 else {
      return .failure(NetworkingError(.unsupported("libcurl \(version) without TLS")))
    }
    // Registered after libcurl's initialisation, so that it runs before OpenSSL's exit handler
    // frees data of open connections.
    atexit { EngineRegistry.shared.shutDownAll() }
    return .success(
      CurlLibrary(
        version: version, contentCodings: ContentDecoding.offer,
        hasNTLM: info.features & CURL_VERSION_NTLM != 0, hasNegotiate: info.features & CURL_VERSION_SPNEGO != 0,
        keepsClearHTTP2: !(0x075800..<0x080000).contains(info.version_num)))
  }
}

/// Stops all running engines when the process exits.
final class EngineRegistry: Sendable {
  static let shared = EngineRegistry()
  private let running = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

  /// Adds an engine. The closure `stop` must shut the engine down, and must return only after the engine has ended.
  func add(_ id: ObjectIdentifier, _ stop: @escaping @Sendable () -> Void) { running.withLock { $0[id] = stop } }
  func remove(_ id: ObjectIdentifier) { running.withLock { $0[id] = nil } }

  func shutDownAll() {
    for stop in running.withLock({ Array($0.values) }) { stop() }
  }
}

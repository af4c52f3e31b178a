import CCurl
import COpenSSL

/// The handshake settings for which libcurl has no option.
enum HandshakeSettings {
  /// The index under which an OpenSSL context stores the server name to send.
  private static let serverNamePlace = garland_server_name_index()

  /// Applies the settings to an OpenSSL context. Returns false if OpenSSL refuses them.
  static func apply(requestsStaple: Bool, serverName: TLSSettings.ServerName, to context: OpaquePointer) -> Bool {
    if requestsStaple, garland_request_staple(context) == 0 { return false }
    switch serverName {
    case .automatic: return true
    case .name(let name): return garland_set_server_name(context, serverNamePlace, name) == 1
    case .none: return garland_set_server_name(context, serverNamePlace, "") == 1
    }
  }
}

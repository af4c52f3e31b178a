import CCurl
import COpenSSL

/// What goes into a handshake and libcurl has no option for.
enum HandshakeSettings {
  /// Where OpenSSL's contexts keep a server name.
  private static let serverNamePlace = garland_server_name_index()

  /// False if OpenSSL would not have it.
  static func apply(requestsStaple: Bool, serverName: TLSSettings.ServerName, to context: OpaquePointer) -> Bool {
    if requestsStaple, garland_request_staple(context) == 0 { return false }
    switch serverName {
    case .automatic: return true
    case .name(let name): return garland_set_server_name(context, serverNamePlace, name) == 1
    case .none: return garland_set_server_name(context, serverNamePlace, "") == 1
    }
  }
}

/// A redirect URI whose host is this machine's loopback interface (RFC 8252 section 7.3).
struct LoopbackURI {
  /// The scheme, the host, and the port if the URI contains a port.
  let origin: String
  let port: UInt16?
  /// The address families to listen at. For `localhost` these are IPv4 and IPv6, since a browser may try either family first.
  let families: [LoopbackFamily]
  private let host: String
  private let path: String

  init(_ text: String) throws(OAuthError) {
    for host in ["127.0.0.1", "localhost", "[::1]"] {
      let start = "http://\(host)"
      guard text.hasPrefix(start) else { continue }
      let rest = text.dropFirst(start.count)
      let path = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
      let port = rest[..<path]
      guard port.isEmpty || (port.first == ":" && UInt16(port.dropFirst()) != nil) else { continue }
      origin = start + port
      self.port = UInt16(port.dropFirst())
      families = host == "[::1]" ? [.version6] : host == "localhost" ? [.version4, .version6] : [.version4]
      self.host = start
      self.path = String(rest[path...])
      return
    }
    throw .configuration("a login in the browser needs a redirect_uri such as http://127.0.0.1:PORT, found \(text)")
  }

  func text(port: UInt16) -> String { "\(host):\(port)\(path)" }

  /// Whether a request may be the redirect from the provider to this URI: its target must have the path of this URI. Queries are not
  /// compared.
  func isRedirect(_ target: String) -> Bool {
    let wanted = path.prefix { $0 != "?" }
    return target.prefix { $0 != "?" } == (wanted.isEmpty ? "/" : wanted)
  }
}

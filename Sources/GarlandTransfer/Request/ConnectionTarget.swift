/// The destination of connections for an origin. The setting `connectTo` determines the host and port, and then the setting `resolve`
/// determines the addresses of this host and port. curl applies the two settings in the same order.
struct ConnectionTarget: Sendable, Hashable {
  /// The host; an IPv6 address has brackets.
  let host: String
  let port: Int
  /// The addresses to connect to; empty if the host is looked up.
  let addresses: [String]

  init(for origin: Origin, _ settings: TransferSettings) {
    let override = settings.connectTo.first { override in
      let host = override.host ?? ""
      return (host.isEmpty || Self.host(host) == origin.host) && (override.port ?? origin.port) == origin.port
    }
    let (host, port) = (override?.toHost.flatMap { $0.isEmpty ? nil : Self.host($0) } ?? origin.host, override?.toPort ?? origin.port)
    self.host = host
    self.port = port
    addresses = settings.resolve.first { $0.port == port && !$0.addresses.isEmpty && Self.host($0.host) == host }?.addresses ?? []
  }

  /// Whether the connection goes to the host and port in the request's URL, and the setting `resolve` contains no addresses for this host
  /// and port.
  func isPlain(for origin: Origin) -> Bool { host == origin.host && port == origin.port && addresses.isEmpty }

  /// Returns a host in the form that URLs use: in lower case, and an IPv6 address in brackets.
  private static func host(_ text: String) -> String { bracketed(text).lowercased() }

  /// Returns an IPv6 address in brackets, and other hosts unchanged.
  static func bracketed(_ host: String) -> String {
    host.utf8.contains(UInt8(ascii: ":")) && host.utf8.first != UInt8(ascii: "[") ? "[\(host)]" : host
  }
}

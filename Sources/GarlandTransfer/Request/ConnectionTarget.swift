/// Where the connections for an origin go: to the host and port that `connectTo` has in place of its own, at the addresses that `resolve` has for these.
/// curl takes them in this order too.
struct ConnectionTarget: Sendable, Hashable {
  /// An IPv6 address stands in brackets.
  let host: String
  let port: Int
  /// Where the host is, if it need not be looked up.
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

  /// Whether a connection goes where the URL says.
  func isPlain(for origin: Origin) -> Bool { host == origin.host && port == origin.port && addresses.isEmpty }

  /// As URLs have it.
  private static func host(_ text: String) -> String { bracketed(text).lowercased() }

  /// An IPv6 address in brackets; anything else as it is.
  static func bracketed(_ host: String) -> String {
    host.utf8.contains(UInt8(ascii: ":")) && host.utf8.first != UInt8(ascii: "[") ? "[\(host)]" : host
  }
}

/// The hosts that are reached without a proxy, as in `no_proxy`.
///
/// Each entry is one of the following; all but `*` may have a port:
/// - a host name, which matches its subdomains too, with or without a leading dot
/// - an IP address
/// - a network such as `10.0.0.0/8`
/// - `*` for all hosts
public struct ProxyExceptions: Sendable, Hashable {
  /// The hosts and networks that are reached without the proxy, as the user wrote them.
  public var entries: [String]

  /// Creates a list of hosts that are reached without a proxy. Each entry names a host or a network, such as `10.0.0.0/8`.
  public init(_ entries: [String] = []) { self.entries = entries }

  /// Parses a list separated by commas or spaces.
  public init(list: String) {
    entries = list.utf8.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.map {
      String(Substring($0))
    }
  }

  /// Whether requests to a host and port are sent without the proxy. `host` is in lower case; an IPv6 address may have brackets.
  public func contains(host: String, port: Int) -> Bool {
    let host = host.utf8.first == UInt8(ascii: "[") ? String(host.dropFirst().dropLast()) : host
    let address = IPAddress(host)
    return entries.contains { entry in
      if entry == "*" { return true }
      var name = entry.lowercased()
      if let address {
        if let network = IPNetwork(name) { return network.contains(address) }
        if let (bare, entryPort) = Self.splitPort(name), let network = IPNetwork(bare) {
          return entryPort == port && network.contains(address)
        }
        return false
      }
      if let (bare, entryPort) = Self.splitPort(name) {
        if entryPort != port { return false }
        name = bare
      }
      while name.utf8.first == UInt8(ascii: ".") { name.removeFirst() }
      while name.utf8.last == UInt8(ascii: ".") { name.removeLast() }
      return !name.isEmpty && CookieRules.domainMatches(host, name)
    }
  }

  private static func splitPort(_ entry: String) -> (String, Int)? {
    guard let colon = entry.utf8.lastIndex(of: UInt8(ascii: ":")), let port = Int(entry[entry.utf8.index(after: colon)...]) else {
      return nil
    }
    var bare = entry[..<colon]
    if bare.utf8.first == UInt8(ascii: "["), bare.utf8.last == UInt8(ascii: "]") { bare = bare.dropFirst().dropLast() }
    return (String(bare), port)
  }
}

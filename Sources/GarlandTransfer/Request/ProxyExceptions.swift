/// Hosts that are reached without a proxy, as `no_proxy` lists them.
///
/// An entry is a host name, which stands for the hosts below it as well (a dot in front makes no difference), with a port if one likes; an IP address; a
/// network such as `10.0.0.0/8`; or `*` for all.
public struct ProxyExceptions: Sendable, Hashable {
  /// The entries, as written.
  public var entries: [String]

  /// These entries.
  public init(_ entries: [String] = []) { self.entries = entries }

  /// The entries of a list that is separated by commas or spaces.
  public init(list: String) {
    entries = list.utf8.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.map {
      String(Substring($0))
    }
  }

  /// Whether a host is one of them. `host` is in lower case, an IPv6 address with or without brackets.
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

/// The route of a hop, and the properties of its server.
struct HopRoute {
  /// The index of the current address of a `resolve` override.
  private(set) var addressIndex = 0
  var addressCount = 0
  var usesProxy = false
  /// Whether the proxy is an HTTP proxy, which opens tunnels, and not a SOCKS proxy.
  var usesHTTPProxy = false
  /// Whether libcurl may answer a proxy's 407 by itself.
  var negotiatesWithProxy = false
  /// The trust check before the request leaves; nil for none.
  var trust: HostTrust?
  /// Whether the origin speaks HTTP/2, so that other transfers can share the connection.
  var learnsHTTP2 = false

  /// Continues with the next address. Returns false if there is none.
  mutating func tryNextAddress() -> Bool {
    guard addressIndex + 1 < addressCount else { return false }
    addressIndex += 1
    return true
  }

  /// Resets the state for a redirect, which has its own addresses.
  mutating func followRedirect() {
    addressIndex = 0
    addressCount = 0
  }

  /// Uses the proxy at this URL; nil for none.
  mutating func use(proxy: String?) {
    usesProxy = proxy != nil
    usesHTTPProxy = proxy.map { !$0.lowercased().hasPrefix("socks") } ?? false
    negotiatesWithProxy = false
  }
}

/// The way that a hop takes, and what the server at its end was found to be.
struct HopRoute {
  /// Which of a `resolve` override's addresses is tried.
  private(set) var addressIndex = 0
  var addressCount = 0
  var usesProxy = false
  /// Whether the proxy is one of HTTP, which is asked for tunnels, and not one of SOCKS.
  var usesHTTPProxy = false
  /// Whether libcurl may answer a proxy's 407 by itself.
  var negotiatesWithProxy = false
  /// What is asked before the request leaves; nil is nothing.
  var trust: HostTrust?
  /// Whether the origin speaks HTTP/2, so that others can share the connection.
  var learnsHTTP2 = false

  /// Goes on to the next address. False if there is none.
  mutating func tryNextAddress() -> Bool {
    guard addressIndex + 1 < addressCount else { return false }
    addressIndex += 1
    return true
  }

  /// A redirect leads elsewhere, by addresses of its own.
  mutating func followRedirect() {
    addressIndex = 0
    addressCount = 0
  }

  /// The proxy at this URL is used; nil is none.
  mutating func use(proxy: String?) {
    usesProxy = proxy != nil
    usesHTTPProxy = proxy.map { !$0.lowercased().hasPrefix("socks") } ?? false
    negotiatesWithProxy = false
  }
}

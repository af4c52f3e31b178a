/// The route of a request to its server: addresses, proxy, and the check of the server's identity.
struct HopRoute {
  /// The index of the address that is used now, among the addresses of a `resolve` override.
  private(set) var addressIndex = 0
  var addressCount = 0
  var usesProxy = false
  /// Whether the proxy is an HTTP proxy, which opens tunnels, and not a SOCKS proxy.
  var usesHTTPProxy = false
  /// Whether libcurl is allowed to answer a proxy's 407 by itself.
  var negotiatesWithProxy = false
  /// The check of the server's identity before the request is sent; nil if no check is needed.
  var trust: HostTrust?
  /// Whether the response to the current request came over HTTP/2 with TLS. If so, further transfers to this origin can share one
  /// connection.
  var learnsHTTP2 = false
  /// Whether the request is sent again, because its kept connection was lost before a response.
  var isRepeated = false

  /// Switches to the next address that the setting `resolve` contains for the server. Returns false if there is no further address.
  mutating func tryNextAddress() -> Bool {
    guard addressIndex + 1 < addressCount else { return false }
    addressIndex += 1
    return true
  }

  /// Forgets the addresses of the previous URL, and whether its request was sent again. Call this method when a redirect is followed, since
  /// the new URL has its own addresses.
  mutating func followRedirect() {
    isRepeated = false
    addressIndex = 0
    addressCount = 0
  }

  /// Sets the URL of the proxy; nil for no proxy.
  mutating func use(proxy: String?) {
    usesProxy = proxy != nil
    usesHTTPProxy = proxy.map { !$0.lowercased().hasPrefix("socks") } ?? false
    negotiatesWithProxy = false
  }
}

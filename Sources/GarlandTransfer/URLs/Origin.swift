/// The scheme, host and port to which credentials belong (RFC 6454).
public struct Origin: Sendable, Hashable, CustomStringConvertible {
  /// The scheme, in lower case.
  public let scheme: String
  /// The host in lower case and ASCII.
  public let host: String
  /// The port; if the URL contains none, the default port of the scheme.
  public let port: Int

  package init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// Whether the scheme is `http` or `https`.
  package var isHTTP: Bool { scheme == "http" || scheme == "https" }

  /// The origin as text, for example `https://example.com:443`.
  public var description: String { "\(scheme)://\(host):\(port)" }
}

/// What credentials belong to: scheme, host and port (RFC 6454).
public struct Origin: Sendable, Hashable, CustomStringConvertible {
  /// In lower case.
  public let scheme: String
  /// In lower case and ASCII.
  public let host: String
  /// With the scheme's default filled in.
  public let port: Int

  package init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// Whether HTTP is spoken there.
  package var isHTTP: Bool { scheme == "http" || scheme == "https" }

  /// `https://example.com:443`.
  public var description: String { "\(scheme)://\(host):\(port)" }
}

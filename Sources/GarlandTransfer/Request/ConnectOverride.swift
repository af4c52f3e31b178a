/// A host and port to connect to instead of those in the URL, like curl's `--connect-to`. TLS and the
/// field `Host` still use the host of the URL.
public struct ConnectOverride: Sendable, Hashable {
  /// The host in the URL; nil matches any host.
  public var host: String?
  /// The port in the URL; nil matches any port.
  public var port: Int?
  /// The host to connect to; nil for the host of the URL.
  public var toHost: String?
  /// The port to connect to; nil for the port of the URL.
  public var toPort: Int?

  /// Creates an override of the host and port to connect to.
  public init(host: String? = nil, port: Int? = nil, toHost: String? = nil, toPort: Int? = nil) {
    self.host = host
    self.port = port
    self.toHost = toHost
    self.toPort = toPort
  }
}

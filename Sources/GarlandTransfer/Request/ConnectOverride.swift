/// A host and port to connect to instead of those that the URL names, as curl's `--connect-to`. TLS and `Host` still go by the URL.
public struct ConnectOverride: Sendable, Hashable {
  /// The URL's host; nil is any.
  public var host: String?
  /// The URL's port; nil is any.
  public var port: Int?
  /// The host to connect to; nil is that of the URL.
  public var toHost: String?
  /// The port to connect to; nil is that of the URL.
  public var toPort: Int?

  /// All of it.
  public init(host: String? = nil, port: Int? = nil, toHost: String? = nil, toPort: Int? = nil) {
    self.host = host
    self.port = port
    self.toHost = toHost
    self.toPort = toPort
  }
}

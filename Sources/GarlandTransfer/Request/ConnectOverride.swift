/// A host and port to connect to instead of those in the URL, like curl's `--connect-to`. TLS and
/// `Host` still follow the URL.
public struct ConnectOverride: Sendable, Hashable {
  /// The URL's host; nil matches any.
  public var host: String?
  /// The URL's port; nil matches any.
  public var port: Int?
  /// The host to connect to; nil uses that of the URL.
  public var toHost: String?
  /// The port to connect to; nil uses that of the URL.
  public var toPort: Int?

  /// Creates an override.
  public init(host: String? = nil, port: Int? = nil, toHost: String? = nil, toPort: Int? = nil) {
    self.host = host
    self.port = port
    self.toHost = toHost
    self.toPort = toPort
  }
}

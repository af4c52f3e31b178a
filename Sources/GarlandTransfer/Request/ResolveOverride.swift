/// Addresses for a host and port, like curl's `--resolve`.
public struct ResolveOverride: Sendable, Hashable {
  /// The host in the URL.
  public var host: String
  /// The explicit or default port of the URL.
  public var port: Int
  /// The IP addresses to connect to.
  public var addresses: [String]

  /// Creates an override of the addresses of a host and port.
  public init(host: String, port: Int, addresses: [String]) {
    self.host = host
    self.port = port
    self.addresses = addresses
  }
}

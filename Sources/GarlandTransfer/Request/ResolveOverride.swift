/// Addresses for a host and port, like curl's `--resolve`.
public struct ResolveOverride: Sendable, Hashable {
  /// The host in the URL.
  public var host: String
  /// The explicit or default port of the URL.
  public var port: Int
  /// IP addresses to use.
  public var addresses: [String]

  /// Creates an override.
  public init(host: String, port: Int, addresses: [String]) {
    self.host = host
    self.port = port
    self.addresses = addresses
  }
}

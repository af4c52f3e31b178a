/// An address to use for a host and port, as curl's `--resolve`.
public struct ResolveOverride: Sendable, Hashable {
  /// The host that the URL names.
  public var host: String
  /// The port that the URL names or means.
  public var port: Int
  /// IP addresses to use.
  public var addresses: [String]

  /// All of it.
  public init(host: String, port: Int, addresses: [String]) {
    self.host = host
    self.port = port
    self.addresses = addresses
  }
}

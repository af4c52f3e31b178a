/// A path to a target, and the result of the attempt to connect over it.
public struct ProbePath: Sendable, Hashable {
  /// The kinds of paths over which a target can be reached.
  public enum Kind: Sendable, Hashable, CustomStringConvertible {
    /// The path uses IP version 4.
    case ipv4
    /// The path uses IP version 6.
    case ipv6
    /// The path leads over a Unix domain socket.
    case unixSocket
    /// The path leads through a proxy, over any IP version.
    case proxy

    /// The name of this kind of path in messages.
    public var description: String {
      switch self {
      case .ipv4: "IPv4"
      case .ipv6: "IPv6"
      case .unixSocket: "unix socket"
      case .proxy: "proxy"
      }
    }
  }

  /// The kind of the path: direct with IPv4 or IPv6, over a Unix domain socket, or through a proxy.
  public let kind: Kind
  /// The IP address, the path of the socket, or the proxy that the connection goes to.
  public internal(set) var address: String
  /// The duration of the TCP handshake; nil if it failed.
  public var connect: Duration?
  /// The duration of the TLS handshake; nil if TLS was not used or failed.
  public var secure: Duration?
  /// The time until the first byte of the HTTP response; nil if no response was requested or no response arrived.
  public var answer: Duration?
  /// The status of the HTTP response; nil without a response.
  public var status: Int?
  /// The failure; nil if the path reaches the target.
  public var failure: ProbeFailure?

  init(_ kind: Kind, address: String) {
    self.kind = kind
    self.address = address
  }
}

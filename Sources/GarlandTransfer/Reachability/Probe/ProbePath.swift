/// A path to a target and the result of trying it.
public struct ProbePath: Sendable, Hashable {
  /// The kind of path.
  public enum Kind: Sendable, Hashable, CustomStringConvertible {
    /// IP version 4.
    case ipv4
    /// IP version 6.
    case ipv6
    /// A Unix domain socket.
    case unixSocket
    /// A proxy, over any IP version.
    case proxy

    /// The text for messages.
    public var description: String {
      switch self {
      case .ipv4: "IPv4"
      case .ipv6: "IPv6"
      case .unixSocket: "unix socket"
      case .proxy: "proxy"
      }
    }
  }

  /// The kind of path.
  public let kind: Kind
  /// The address, path or proxy of the connection.
  public internal(set) var address: String
  /// The duration of TCP; nil if it failed.
  public var connect: Duration?
  /// The duration of TLS; nil if there is none or it failed.
  public var secure: Duration?
  /// The time until the first byte of the HTTP response; nil if none was requested or none arrived.
  public var answer: Duration?
  /// The status of the response.
  public var status: Int?
  /// The failure; nil if there was none.
  public var failure: ProbeFailure?

  init(_ kind: Kind, address: String) {
    self.kind = kind
    self.address = address
  }
}

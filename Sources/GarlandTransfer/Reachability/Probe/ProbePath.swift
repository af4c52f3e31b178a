/// One way to a target, and how far it led.
public struct ProbePath: Sendable, Hashable {
  /// Which way it is.
  public enum Kind: Sendable, Hashable, CustomStringConvertible {
    /// IP version 4.
    case ipv4
    /// IP version 6.
    case ipv6
    /// A unix domain socket.
    case unixSocket
    /// Through a proxy, whatever version of IP that is reached by.
    case proxy

    /// Human words.
    public var description: String {
      switch self {
      case .ipv4: "IPv4"
      case .ipv6: "IPv6"
      case .unixSocket: "unix socket"
      case .proxy: "proxy"
      }
    }
  }

  /// Which way it is.
  public let kind: Kind
  /// The address, path or proxy that was connected to, or was to be.
  public internal(set) var address: String
  /// How long TCP took, nil if it failed.
  public var connect: Duration?
  /// How long TLS took, nil if there is none or it failed.
  public var secure: Duration?
  /// How long it took until the first byte of the HTTP response, nil if none was asked for or none came.
  public var answer: Duration?
  /// The status of that response.
  public var status: Int?
  /// What was in the way, nil if nothing was.
  public var failure: ProbeFailure?

  init(_ kind: Kind, address: String) {
    self.kind = kind
    self.address = address
  }
}

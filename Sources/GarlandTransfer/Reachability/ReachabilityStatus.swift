/// Whether there is a route to a host, according to the kernel's routes and links. A
/// ``ReachabilityProbe`` also checks whether the host responds.
public enum ReachabilityStatus: Sendable, Hashable, CustomStringConvertible {
  /// There is a route to the host, or the host is this machine.
  case reachable(Path)
  /// Packets to the host would not leave this machine.
  case unreachable(Obstacle)
  /// The kernel does not report whether there is a route to the host.
  case unknown(ReachabilityError)

  /// The route of packets to the host.
  public struct Path: Sendable, Hashable {
    /// The name of the interface, such as `eth0`.
    public let interface: String
    /// The address of the first router; nil if the host is on the same network.
    public let gateway: IPAddress?
    /// The local address from which packets are sent; nil if the kernel has not chosen an address.
    public let source: IPAddress?
    /// The destination address; nil for the route to the internet, which has no single destination.
    public let address: IPAddress?
    /// Whether packets on this route stay on this machine.
    public let isLocal: Bool
  }

  /// A reason why packets cannot leave this machine.
  public enum Obstacle: Sendable, Hashable {
    /// There is no default route.
    case offline
    /// No route leads to this address.
    case noRoute(to: IPAddress)
    /// There is a route, but its interface is switched off or has no carrier.
    case linkDown(interface: String)
    /// The host's name did not resolve.
    case name(NameFailure)
  }

  /// Whether there is a route to the host.
  public var isReachable: Bool { if case .reachable = self { true } else { false } }

  /// The status as text, for example `reachable by eth0`.
  public var description: String {
    switch self {
    case .reachable(let path) where path.isLocal: "reachable on this machine"
    case .reachable(let path): "reachable by \(path.interface)" + (path.gateway.map { " through \($0)" } ?? "")
    case .unreachable(let obstacle): "unreachable: \(obstacle)"
    case .unknown(let error): "unknown: \(error)"
    }
  }
}

extension ReachabilityStatus.Obstacle: CustomStringConvertible {
  /// The obstacle as a message.
  public var description: String {
    switch self {
    case .offline: "this machine has no default route"
    case .noRoute(let address): "no route to \(address)"
    case .linkDown(let interface): "the network interface \(interface) is down"
    case .name(let failure): failure.description
    }
  }
}

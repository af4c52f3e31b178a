/// Whether there is a way to a host, as the kernel's routes and links have it. Whether the host is there at its end is another matter: ask a
/// ``ReachabilityProbe``.
public enum ReachabilityStatus: Sendable, Hashable, CustomStringConvertible {
  /// Packets would leave, or stay on this machine.
  case reachable(Path)
  /// They would not.
  case unreachable(Obstacle)
  /// The kernel does not tell.
  case unknown(ReachabilityError)

  /// How packets would go.
  public struct Path: Sendable, Hashable {
    /// The interface's name, such as `eth0`.
    public let interface: String
    /// The first router on the way, nil if the host is on the same network.
    public let gateway: IPAddress?
    /// The address that packets would come from, where the kernel has chosen one.
    public let source: IPAddress?
    /// The address that was asked for, nil for the world at large.
    public let address: IPAddress?
    /// Whether they stay on this machine.
    public let isLocal: Bool
  }

  /// What is in the way.
  public enum Obstacle: Sendable, Hashable {
    /// There is no default route.
    case offline
    /// The routes lead nowhere for this address.
    case noRoute(to: IPAddress)
    /// There is a route, and its interface is switched off or has no carrier.
    case linkDown(interface: String)
    /// The host's name did not resolve.
    case name(NameFailure)
  }

  /// Whether there is a way.
  public var isReachable: Bool { if case .reachable = self { true } else { false } }

  /// Human words: `reachable by eth0`.
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
  /// Human words.
  public var description: String {
    switch self {
    case .offline: "this machine has no default route"
    case .noRoute(let address): "no route to \(address)"
    case .linkDown(let interface): "the network interface \(interface) is down"
    case .name(let failure): failure.description
    }
  }
}

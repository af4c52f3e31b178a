/// What the kernel says about links, addresses and routes: one message of rtnetlink(7).
enum NetlinkMessage: Sendable, Hashable {
  case link(NetworkLink)
  case linkRemoved(index: Int32)
  /// An address of the machine came, went, or became usable.
  case addressChanged
  case route(NetworkRoute)
  case routeRemoved
  /// The end of a list.
  case done
  /// A request failed with this error number; 0 is an acknowledgement.
  case failure(Int32)
  /// Messages were lost.
  case overrun
  case other(UInt16)

  /// Whether something about the network has, or may have, changed.
  var isChange: Bool {
    switch self {
    case .link, .linkRemoved, .addressChanged, .route, .routeRemoved, .overrun: true
    case .done, .failure, .other: false
    }
  }
}

/// A network interface.
struct NetworkLink: Sendable, Hashable {
  var index: Int32
  var name: String
  /// Whether it was switched on, and has a carrier.
  var isUsable: Bool
  var isLoopback: Bool
}

/// An entry of a routing table, or the answer to "how do I get there?".
struct NetworkRoute: Sendable, Hashable {
  /// What a packet on it meets.
  enum Kind: Sendable, Hashable {
    /// It goes to another machine.
    case unicast
    /// It stays on this machine.
    case local
    /// It goes to many.
    case group
    /// It is thrown away: `blackhole`, `unreachable`, `prohibit`, `throw`.
    case refused
  }

  var isIPv6: Bool
  var kind: Kind
  /// The number of bits of the destination that count: 0 is the default route.
  var destinationBits: UInt8
  var destination: IPAddress?
  var gateway: IPAddress?
  var source: IPAddress?
  /// The interfaces that packets may leave by, without those that the kernel knows to be useless.
  var interfaces: [Int32]
  /// Those that it knows to be useless, without a carrier for example.
  var idleInterfaces: [Int32] = []

  /// Whether it leads to the world at large. Some VPNs write two halves in place of a default route, or all global unicast addresses of IPv6.
  var isDefault: Bool { kind == .unicast && destinationBits <= (isIPv6 ? 3 : 1) }
}

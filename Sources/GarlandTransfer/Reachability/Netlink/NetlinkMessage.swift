/// A message of rtnetlink(7) with the kernel's information about a link, address or route.
enum NetlinkMessage: Sendable, Hashable {
  case link(NetworkLink)
  case linkRemoved(index: Int32)
  /// An address of the machine was added, removed or became usable.
  case addressChanged
  case route(NetworkRoute)
  case routeRemoved
  /// The end of a list of messages.
  case done
  /// The kernel's reply to a request: an error number, or 0 if the request was successful.
  case failure(Int32)
  /// Messages of the kernel were lost before this process read them.
  case overrun
  case other(UInt16)

  /// Whether the message means that the network has changed, or may have changed.
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
  /// Whether the interface is up and has a carrier (a connected cable or radio link).
  var isUsable: Bool
  var isLoopback: Bool
}

/// An entry of a routing table, or the kernel's response to a query for a route.
struct NetworkRoute: Sendable, Hashable {
  /// The destination of packets on a route: another machine, this machine, a group, or none.
  enum Kind: Sendable, Hashable {
    /// A packet on this route goes to another machine.
    case unicast
    /// A packet on this route stays on this machine.
    case local
    /// The packet goes to a multicast or anycast group.
    case group
    /// A packet on this route is dropped. The types of such routes are `blackhole`, `unreachable`, `prohibit` and `throw`.
    case refused
  }

  var isIPv6: Bool
  var kind: Kind
  /// The prefix length of the destination; 0 for the default route.
  var destinationBits: UInt8
  var destination: IPAddress?
  var gateway: IPAddress?
  var source: IPAddress?
  /// The indices of the outgoing interfaces, except those that the kernel reports as unusable.
  var interfaces: [Int32]
  /// The indices of the interfaces that the kernel reports as unusable, for example because no cable is connected.
  var idleInterfaces: [Int32] = []

  /// Whether the route leads to the internet. Some VPNs replace the default route with routes for its two halves, or with a route for all
  /// global unicast addresses of IPv6.
  var isDefault: Bool { kind == .unicast && destinationBits <= (isIPv6 ? 3 : 1) }
}

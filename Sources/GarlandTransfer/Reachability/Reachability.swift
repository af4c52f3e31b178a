/// Whether there is a way to a host, and when that changes.
///
/// ```swift
/// for await status in Reachability(host: "example.com").changes {
///   print(status)   // reachable by eth0 through 192.168.1.1 … unreachable: this machine has no default route
/// }
/// ```
/// It follows the kernel's link, address and route messages, so that nothing is polled and nothing is sent, but for looking up a host's name. That the
/// host answers it does not say; ``ReachabilityProbe`` does.
public struct Reachability: Sendable, Hashable {
  private enum Subject: Sendable, Hashable {
    case world
    case address(IPAddress)
    case name(String)
  }

  private let subject: Subject

  /// Of the world at large: whether there is a default route by a link that is up.
  public init() { subject = .world }

  /// Of a host: its name, which is looked up again whenever the network changes, or its address. A name with several addresses is reachable when one of
  /// them is.
  public init(host: String) { subject = IPAddress(host).map(Subject.address) ?? .name(host) }

  /// Of an address.
  public init(address: IPAddress) { subject = .address(address) }

  /// The present status. Only a name makes this wait: for its lookup.
  public var status: ReachabilityStatus {
    get async {
      guard case .name(let name) = subject else { return immediateStatus }
      switch await NameResolver.shared.lookUp(name).outcome {
      case .failure(let failure): return .unreachable(.name(failure))
      case .success(let addresses):
        return Self.told { () throws(ReachabilityError) in
          let routes = try KernelRoutes()
          var obstacle: ReachabilityStatus?
          for address in addresses {
            let status = try routes.status(of: address)
            if status.isReachable { return status }
            obstacle = obstacle ?? status
          }
          return obstacle ?? .unreachable(.offline)
        }
      }
    }
  }

  /// The status, and after that each other one, for as long as somebody asks. Whoever is slow misses what was undone in the meantime.
  ///
  /// A name's addresses are looked up with the system's resolver; what changes there alone is not noticed.
  public var changes: ReachabilityChanges { ReachabilityChanges(subject: self) }

  /// What can be said without looking up a name: for one, whether there is a default route, or for the machine itself that there is a way.
  package var immediateStatus: ReachabilityStatus {
    Self.told { () throws(ReachabilityError) in
      let routes = try KernelRoutes()
      switch subject {
      case .address(let address): return try routes.status(of: address)
      // RFC 6761, section 6.3: these names are always the machine itself.
      case .name(let name) where name == "localhost" || name.hasSuffix(".localhost"):
        return .reachable(.init(interface: "lo", gateway: nil, source: nil, address: nil, isLocal: true))
      case .world, .name: return try routes.defaultStatus()
      }
    }
  }

  private static func told(_ body: () throws(ReachabilityError) -> ReachabilityStatus) -> ReachabilityStatus {
    do throws(ReachabilityError) { return try body() } catch { return .unknown(error) }
  }
}

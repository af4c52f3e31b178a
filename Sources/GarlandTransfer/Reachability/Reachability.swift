/// Shows whether there is a route to a host, and reports each change.
///
/// ```swift
/// for await status in Reachability(host: "example.com").changes {
///   print(status)   // reachable by eth0 through 192.168.1.1 … unreachable: this machine has no default route
/// }
/// ```
/// The status follows the kernel's messages about links, addresses and routes: nothing is polled, and nothing is sent except name
/// lookups. The status does not show whether the host responds; to learn that, use ``ReachabilityProbe``.
public struct Reachability: Sendable, Hashable {
  private enum Subject: Sendable, Hashable {
    case world
    case address(IPAddress)
    case name(String)
  }

  private let subject: Subject

  /// Creates a value that reports whether the internet is reachable: whether there is a default route over a link that is up.
  public init() { subject = .world }

  /// Creates a value that reports whether a host, given by its address or its name, is reachable. A name is looked up again whenever the
  /// network changes. A name with several addresses is reachable if at least one of its addresses is reachable.
  public init(host: String) { subject = IPAddress(host).map(Subject.address) ?? .name(host) }

  /// Creates a value that reports whether an address is reachable.
  public init(address: IPAddress) { subject = .address(address) }

  /// The current status. Reading the status waits only if a name must be looked up.
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

  /// The current status and each later status.
  ///
  /// If the status changes and changes back before the reader asks for the next status, the reader receives neither change.
  ///
  /// A host name is looked up again only when this machine's network changes. So if only the addresses of the name change, the reader
  /// receives no new status.
  public var changes: ReachabilityChanges { ReachabilityChanges(subject: self) }

  /// The status without a name lookup. For a host name, the status depends only on the default route; `localhost` is always reachable.
  package var immediateStatus: ReachabilityStatus {
    Self.told { () throws(ReachabilityError) in
      let routes = try KernelRoutes()
      switch subject {
      case .address(let address): return try routes.status(of: address)
      // RFC 6761, section 6.3: these names always mean this machine.
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

/// The reason why the status of the network is unknown: the kernel does not respond, as in a sandbox
/// that forbids routing sockets.
public struct ReachabilityError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The error message.
  public let description: String

  init(_ description: String) { self.description = description }
}

import Glibc

/// Queries the kernel for the route of a packet. A query takes some microseconds, and no packet is sent.
struct KernelRoutes {
  private let socket: NetlinkSocket

  init() throws(ReachabilityError) { socket = try NetlinkSocket() }

  /// Returns the status of the route to an address.
  func status(of address: IPAddress) throws(ReachabilityError) -> ReachabilityStatus {
    let answer = try socket.ask(NetlinkRequest.route(to: address), isList: false)
    for message in answer {
      switch message {
      case .route(let route):
        guard route.kind != .refused else { return .unreachable(.noRoute(to: address)) }
        guard let index = route.interfaces.first, let link = try link(index) else { return .unreachable(.noRoute(to: address)) }
        guard link.isUsable else { return .unreachable(.linkDown(interface: link.name)) }
        return .reachable(
          .init(
            interface: link.name, gateway: route.gateway, source: route.source, address: address,
            isLocal: route.kind == .local || link.isLoopback))
      case .failure: return .unreachable(.noRoute(to: address))
      default: continue
      }
    }
    return .unreachable(.noRoute(to: address))
  }

  /// Returns the status of the first default route over a link that is up. Without such a route, returns an unreachable status with the
  /// reason, such as a link that is down.
  func defaultStatus() throws(ReachabilityError) -> ReachabilityStatus {
    var links: [Int32: NetworkLink] = [:]
    for case .link(let link) in try socket.ask(NetlinkRequest.links, isList: true) { links[link.index] = link }
    var down: String?
    for isIPv6 in [false, true] {
      for case .route(let route) in try socket.ask(NetlinkRequest.routes(isIPv6: isIPv6), isList: true) where route.isDefault {
        down = down ?? route.idleInterfaces.lazy.compactMap { links[$0]?.name }.first
        for index in route.interfaces {
          guard let link = links[index], !link.isLoopback else { continue }
          if link.isUsable {
            return .reachable(
              .init(interface: link.name, gateway: route.gateway, source: route.source, address: nil, isLocal: false))
          }
          down = down ?? link.name
        }
      }
    }
    return .unreachable(down.map { .linkDown(interface: $0) } ?? .offline)
  }

  private func link(_ index: Int32) throws(ReachabilityError) -> NetworkLink? {
    for case .link(let link) in try socket.ask(NetlinkRequest.link(index), isList: false) { return link }
    return nil
  }
}

/// Determines whether a failure was caused by this machine's network or by the host, and waits until this machine has a network again.
package struct Connectivity: Sendable, Hashable {
  /// The route to the first host to which a connection leads: the proxy, or the server if no proxy is used. Nil if the connection needs no
  /// network, as with a Unix socket.
  let subject: Reachability?

  /// Creates a value that checks this machine's network for transfers to `origin` with the given settings. Only the first host of the route
  /// is considered: if the settings contain a proxy, the value checks the route to the proxy.
  package init(to origin: Origin, _ settings: TransferSettings) {
    switch ProbeRoute(to: origin, settings) {
    case .unixSocket: subject = nil
    case .proxy(let url):
      let host = (try? URLReference(url.utf8.contains(UInt8(ascii: "/")) ? url : "http://" + url))?.host
      subject = host.map(Reachability.init(host:))
    case .host(let host, _, let addresses): subject = addresses.first.map(Reachability.init(address:)) ?? Reachability(host: host)
    }
  }

  /// Creates an object that checks whether the network is the reason why a transfer failed with `error`. Returns nil if the URL of the
  /// transfer is invalid.
  package init?(of request: TransferRequest, after error: NetworkingError) {
    guard let origin = (try? URLReference(error.url ?? request.url))?.origin else { return nil }
    self.init(to: origin, request.settings)
  }

  /// The reason why packets cannot leave this machine; nil if there is none, or if the kernel does not report it.
  package var obstacle: ReachabilityStatus.Obstacle? {
    guard let subject, case .unreachable(let obstacle) = subject.immediateStatus else { return nil }
    return obstacle
  }

  /// Whether an error is a failed connection that a missing network could have caused.
  package static func canExplain(_ error: NetworkingError) -> Bool {
    switch error.reason {
    case .resolve, .unreachable, .proxy: true
    case .timeout(let timeout): timeout.phase <= .connecting && timeout.phase != .waiting
    default: false
    }
  }

  /// Waits until there is a route to the host, or until the task is cancelled. Returns immediately if there is already a route. The kernel
  /// reports changes of the routes, so the routes are not polled.
  package func waitForWay() async {
    guard let subject else { return }
    let (news, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // Without reports of the kernel, waiting would never end.
    guard let observation = try? NetworkMonitor.shared.observe({ continuation.yield() }) else { return }
    // Checked after observing began, so that no change is missed.
    if case .unreachable = subject.immediateStatus {
      for await _ in news { if case .unreachable = subject.immediateStatus { continue } else { break } }
    }
    withExtendedLifetime(observation) {}
  }
}

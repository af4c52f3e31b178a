/// Distinguishes a failure of this machine's network from one of the host, and waits for the
/// network to return.
package struct Connectivity: Sendable, Hashable {
  /// The destination that must be reachable; nil if it always is, as with a Unix socket.
  let subject: Reachability?

  /// Checks transfers to an origin with these settings. The first connection counts, for example
  /// that to a proxy.
  package init(to origin: Origin, _ settings: TransferSettings) {
    switch ProbeRoute(to: origin, settings) {
    case .unixSocket: subject = nil
    case .proxy(let url):
      let host = (try? URLReference(url.utf8.contains(UInt8(ascii: "/")) ? url : "http://" + url))?.host
      subject = host.map(Reachability.init(host:))
    case .host(let host, _, let addresses): subject = addresses.first.map(Reachability.init(address:)) ?? Reachability(host: host)
    }
  }

  /// Checks the transfer that failed with an error; nil if its URL is invalid.
  package init?(of request: TransferRequest, after error: NetworkingError) {
    guard let origin = (try? URLReference(error.url ?? request.url))?.origin else { return nil }
    self.init(to: origin, request.settings)
  }

  /// The obstacle for packets on this machine; nil if there is none, or the kernel does not report
  /// it.
  package var obstacle: ReachabilityStatus.Obstacle? {
    guard let subject, case .unreachable(let obstacle) = subject.immediateStatus else { return nil }
    return obstacle
  }

  /// Whether an error is a failure to connect, as it occurs without a network.
  package static func canExplain(_ error: NetworkingError) -> Bool {
    switch error.reason {
    case .resolve, .unreachable, .proxy: true
    case .timeout(let timeout): timeout.phase <= .connecting && timeout.phase != .waiting
    default: false
    }
  }

  /// Returns when there is a route, at once if there is one, without polling: the kernel reports
  /// changes. Returns early when the task is cancelled.
  package func waitForWay() async {
    guard let subject else { return }
    let (news, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // Without reports of the kernel there is nothing to wait for.
    guard let observation = try? NetworkMonitor.shared.observe({ continuation.yield() }) else { return }
    // Checked after observing began, so that no change is missed.
    if case .unreachable = subject.immediateStatus {
      for await _ in news { if case .unreachable = subject.immediateStatus { continue } else { break } }
    }
    withExtendedLifetime(observation) {}
  }
}

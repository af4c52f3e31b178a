/// Tells a failure of this machine's network from one of the host's, and waits for the network to come back.
package struct Connectivity: Sendable, Hashable {
  /// What there must be a way to; nil where there always is one: a unix socket.
  let subject: Reachability?

  /// For transfers to an origin with these settings: what counts is where they connect to first, a proxy for example.
  package init(to origin: Origin, _ settings: TransferSettings) {
    switch ProbeRoute(to: origin, settings) {
    case .unixSocket: subject = nil
    case .proxy(let url):
      let host = (try? URLReference(url.utf8.contains(UInt8(ascii: "/")) ? url : "http://" + url))?.host
      subject = host.map(Reachability.init(host:))
    case .host(let host, _, let addresses): subject = addresses.first.map(Reachability.init(address:)) ?? Reachability(host: host)
    }
  }

  /// For the transfer that failed with an error; nil if its URL is none.
  package init?(of request: TransferRequest, after error: NetworkingError) {
    guard let origin = (try? URLReference(error.url ?? request.url))?.origin else { return nil }
    self.init(to: origin, request.settings)
  }

  /// What keeps packets from leaving; nil if they would leave, or the kernel does not tell.
  package var obstacle: ReachabilityStatus.Obstacle? {
    guard let subject, case .unreachable(let obstacle) = subject.immediateStatus else { return nil }
    return obstacle
  }

  /// Whether an error is that no connection came about, as it does when the network is gone.
  package static func canExplain(_ error: NetworkingError) -> Bool {
    switch error.reason {
    case .resolve, .unreachable, .proxy: true
    case .timeout(let timeout): timeout.phase <= .connecting && timeout.phase != .waiting
    default: false
    }
  }

  /// Returns when there is a way, at once if there is one, without ever looking in vain: the kernel tells when something changes. Returns early when the
  /// task is cancelled.
  package func waitForWay() async {
    guard let subject else { return }
    let (news, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // Where the kernel does not tell there is nothing to wait for.
    guard let observation = try? NetworkMonitor.shared.observe({ continuation.yield() }) else { return }
    // Only now, so that nothing is missed in between.
    if case .unreachable = subject.immediateStatus {
      for await _ in news { if case .unreachable = subject.immediateStatus { continue } else { break } }
    }
    withExtendedLifetime(observation) {}
  }
}

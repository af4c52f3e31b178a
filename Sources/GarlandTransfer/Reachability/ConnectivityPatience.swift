/// Whether a request that could not connect waits for the network. A pure value, one for each request.
package struct ConnectivityPatience: Sendable, Hashable {
  /// What to do about a failure.
  package enum Decision: Sendable, Hashable {
    /// It stands.
    case fail
    /// Wait until there is a way. The first time somebody is to be told of it.
    case wait(ReachabilityStatus.Obstacle, isFirst: Bool)
    /// Try again after this time: the network has just come back, and names come a moment later than routes.
    case pause(Duration)
  }

  /// How often a name may fail to resolve after the network has come back.
  private static let settlingLimit = 4
  private var hasWaited = false
  private var settling = 0

  package init() {}

  /// - Parameters:
  ///   - error: what the transfer failed with.
  ///   - obstacle: what keeps packets from leaving this machine, looked up only if it matters.
  package mutating func decide(after error: NetworkingError, obstacle: () -> ReachabilityStatus.Obstacle?) -> Decision {
    guard Connectivity.canExplain(error) else { return .fail }
    if let obstacle = obstacle() {
      defer { hasWaited = true }
      settling = 0
      return .wait(obstacle, isFirst: !hasWaited)
    }
    guard hasWaited, error.reason.kind == .resolve, settling < Self.settlingLimit else { return .fail }
    settling += 1
    return .pause(.milliseconds(125 << settling))
  }
}

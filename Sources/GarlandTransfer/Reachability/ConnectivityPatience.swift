/// Decides whether a request that could not connect waits for the network. A pure value, one for
/// each request.
package struct ConnectivityPatience: Sendable, Hashable {
  /// The reaction to a failure.
  package enum Decision: Sendable, Hashable {
    /// Report the failure.
    case fail
    /// Wait until there is a route. The first wait is reported.
    case wait(ReachabilityStatus.Obstacle, isFirst: Bool)
    /// Retry after this time: the network has just returned, and names resolve a moment later than
    /// routes appear.
    case pause(Duration)
  }

  /// How often a name may fail to resolve after the network has returned.
  private static let settlingLimit = 4
  private var hasWaited = false
  private var settling = 0

  package init() {}

  /// Decides what to do after a failure.
  ///
  /// - Parameters:
  ///   - error: The error of the transfer.
  ///   - obstacle: Returns the obstacle for packets on this machine; called only if it matters.
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

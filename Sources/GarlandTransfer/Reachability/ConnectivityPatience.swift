/// Decides whether a request that could not connect waits for the network. Each request has its own value of this type. The value only
/// makes decisions; the caller waits or retries.
package struct ConnectivityPatience: Sendable, Hashable {
  /// The reaction of a transfer to a failed connection: it fails, waits for the network, or retries.
  package enum Decision: Sendable, Hashable {
    /// Report the failure of the request.
    case fail
    /// Wait until packets can leave this machine. The associated obstacle is the reason why they can't. `isFirst` is true for the first
    /// wait of the request, so that the caller can report only this wait.
    case wait(ReachabilityStatus.Obstacle, isFirst: Bool)
    /// Retry after this time. The machine has just gone back online: it has routes again, but names can be resolved only a moment later.
    case pause(Duration)
  }

  /// The maximum number of retries for a name that fails to resolve just after the network has returned.
  private static let settlingLimit = 4
  private var hasWaited = false
  private var settling = 0

  package init() {}

  /// Decides whether the request fails, waits for the network, or is sent again after a pause.
  ///
  /// - Parameters:
  ///   - error: The error with which the request failed.
  ///   - obstacle: Returns the reason why packets cannot leave this machine; nil if there is none. This closure is called only if a missing
  ///     network could have caused the error.
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

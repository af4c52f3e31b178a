/// The settings of a document's key `reachability:`.
public struct ReachabilitySettings: Sendable, Hashable {
  /// Whether the hosts known before the run are checked for reachability before any request is sent, from the key `preflight:`. Default:
  /// false.
  public let preflight: Bool
  /// The time for which a run waits until the hosts are reachable, from the key `wait:`. If nil, a run does not wait.
  public let wait: Duration?

  init(preflight: Bool = false, wait: Duration? = nil) {
    self.preflight = preflight
    self.wait = wait
  }
}

/// `reachability:` of a document.
public struct ReachabilitySettings: Sendable, Hashable {
  /// `preflight:`: whether the hosts that are known beforehand are looked for before anything is sent. Default: false.
  public let preflight: Bool
  /// `wait:`: how long to wait for them to come up. Default: not at all.
  public let wait: Duration?

  init(preflight: Bool = false, wait: Duration? = nil) {
    self.preflight = preflight
    self.wait = wait
  }
}

/// The settings of `reachability:` in a document.
public struct ReachabilitySettings: Sendable, Hashable {
  /// `preflight:`: whether the known hosts are checked for reachability before any request is sent. Default: false.
  public let preflight: Bool
  /// `wait:`: how long to wait until the hosts are reachable. Default: no waiting.
  public let wait: Duration?

  init(preflight: Bool = false, wait: Duration? = nil) {
    self.preflight = preflight
    self.wait = wait
  }
}

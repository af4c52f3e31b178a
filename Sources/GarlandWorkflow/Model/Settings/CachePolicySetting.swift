/// `cache.policy:`: how stored responses are used.
public enum CachePolicySetting: String, Sendable, Hashable, CaseIterable {
  /// By the rules of HTTP: a fresh response is used, a stale one is first validated. The default.
  case `protocol`
  /// From the server, even if a response is stored.
  case reload
  /// A stored response, however old; otherwise the request is sent.
  case elseLoad = "else_load"
  /// A stored response, however old; otherwise an error, and no request is sent.
  case only
}

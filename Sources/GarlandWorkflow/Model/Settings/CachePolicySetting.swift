/// `cache.policy:`: how stored responses are used.
public enum CachePolicySetting: String, Sendable, Hashable, CaseIterable {
  /// As HTTP says: what is fresh is used, what is stale is first validated. The default.
  case `protocol`
  /// From the server, whatever is stored.
  case reload
  /// What is stored, however old; what is not is loaded.
  case elseLoad = "else_load"
  /// What is stored, however old; what is not is an error, and nothing is sent.
  case only
}

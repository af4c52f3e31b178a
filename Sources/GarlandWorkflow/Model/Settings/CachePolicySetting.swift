/// `cache.policy:`: how stored responses are used.
public enum CachePolicySetting: String, Sendable, Hashable, CaseIterable {
  /// Follows the rules of HTTP: a fresh stored response is used, a stale one is validated first. The default.
  case `protocol`
  /// Always sends the request, even if a response is stored.
  case reload
  /// Uses a stored response, however old it is; without one, sends the request.
  case elseLoad = "else_load"
  /// Uses a stored response, however old it is; without one, fails and sends no request.
  case only
}

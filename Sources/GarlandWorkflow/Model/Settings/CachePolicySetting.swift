/// The rules for using stored responses, from the key `cache.policy:`.
public enum CachePolicySetting: String, Sendable, Hashable, CaseIterable {
  /// Follows the rules of HTTP: a fresh stored response is used, and a stale response is validated first. This is the default.
  case `protocol`
  /// Always sends the request, even if a response is stored.
  case reload
  /// Uses a stored response of any age. If no response is stored, sends the request.
  case elseLoad = "else_load"
  /// Uses a stored response of any age. If no response is stored, the step fails without sending a request.
  case only
}

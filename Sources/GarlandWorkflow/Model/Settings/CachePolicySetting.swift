/// `cache.policy:`: how stored responses are used.
public enum CachePolicySetting: String, Sendable, Hashable, CaseIterable {
  /// The default: follows the rules of HTTP. A fresh stored response is used; a stale response is validated first.
  case `protocol`
  /// Always sends the request, even if a response is stored.
  case reload
  /// Uses a stored response of any age. If no response is stored, sends the request.
  case elseLoad = "else_load"
  /// Uses a stored response of any age. If no response is stored, the step fails without sending a request.
  case only
}

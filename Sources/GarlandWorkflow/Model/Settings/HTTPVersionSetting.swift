/// `http:`: the requested version of HTTP.
public enum HTTPVersionSetting: String, Sendable, Hashable, CaseIterable {
  /// HTTP/1.1 only.
  case http1_1 = "1.1"
  /// HTTP/2 if the server supports it.
  case http2 = "2"
}

/// The version of HTTP that requests should use, from the key `http:`.
public enum HTTPVersionSetting: String, Sendable, Hashable, CaseIterable {
  /// Only HTTP/1.1 is used.
  case http1_1 = "1.1"
  /// HTTP/2 is used if the server supports it.
  case http2 = "2"
}

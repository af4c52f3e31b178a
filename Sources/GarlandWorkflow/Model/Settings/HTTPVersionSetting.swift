/// `http:`: the version of HTTP that a request asks for.
public enum HTTPVersionSetting: String, Sendable, Hashable, CaseIterable {
  /// HTTP/1.1 only.
  case http1_1 = "1.1"
  /// HTTP/2 where the server has it.
  case http2 = "2"
}

/// `compress:`: what is done to a request's body while it is sent.
public enum CompressionSetting: String, Sendable, Hashable, CaseIterable {
  /// RFC 1952.
  case gzip
  /// RFC 1950.
  case deflate
}

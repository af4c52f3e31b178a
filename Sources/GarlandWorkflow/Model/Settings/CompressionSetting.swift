/// The compression of a request's body while it is sent, from the key `compress:`.
public enum CompressionSetting: String, Sendable, Hashable, CaseIterable {
  /// The gzip format (RFC 1952).
  case gzip
  /// The zlib format (RFC 1950).
  case deflate
}

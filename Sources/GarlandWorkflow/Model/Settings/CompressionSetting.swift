/// The compression of a request's body while it is sent, from the key `compress:`.
public enum CompressionSetting: String, Sendable, Hashable, CaseIterable {
  /// The body is compressed in the gzip format (RFC 1952).
  case gzip
  /// The body is compressed in the zlib format (RFC 1950).
  case deflate
}

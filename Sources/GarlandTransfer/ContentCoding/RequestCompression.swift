/// The compression of a request's content.
///
/// ```swift
/// session.upload(file: "books.json", to: url).compress(.gzip)
/// request.compression = RequestCompression(.deflate, level: 9)
/// ```
/// The content is compressed as it is sent, and never held as a whole. Its length is not known in
/// advance: up to 64 KiB in memory are compressed first and their length is announced; other
/// content is sent chunked unless ``announcesLength`` is true. `Content-Encoding` is appended to
/// the field's existing value.
///
/// Few servers accept compressed content, and there is no way to know in advance: one that does not
/// should answer 415.
public struct RequestCompression: Sendable, Hashable {
  /// A content coding.
  public enum Coding: String, Sendable, Hashable, CaseIterable {
    /// gzip (RFC 1952).
    case gzip
    /// deflate (RFC 1950, as RFC 9110 requires).
    case deflate
  }

  /// The content coding.
  public var coding: Coding
  /// The level from 1, the fastest, to 9, the smallest. Defaults to 6. Values outside count as the
  /// nearest one.
  public var level: Int
  /// Whether files and streams are compressed twice, first to find the length, for servers that
  /// accept no chunks. Defaults to false.
  public var announcesLength: Bool

  /// Creates a compression.
  public init(_ coding: Coding, level: Int = 6, announcesLength: Bool = false) {
    self.coding = coding
    self.level = level
    self.announcesLength = announcesLength
  }
}

/// The compression of a request's content.
///
/// ```swift
/// session.upload(file: "books.json", to: url).compress(.gzip)
/// request.compression = RequestCompression(.deflate, level: 9)
/// ```
/// The content is compressed while it is sent, so the compressed content is never in memory as a whole. Its length is not known in advance,
/// so it is sent chunked. In two cases, the request contains the compressed length instead:
/// - Content of up to 64 KiB that is in memory is compressed before it is sent.
/// - If ``announcesLength`` is true, other content is compressed twice: first only to find its length, and then while it is sent.
///
/// The coding is appended to an existing value of `Content-Encoding`.
///
/// Few servers accept compressed content, and there is no way to know in advance: a server that does not accept it should respond with 415.
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
  /// The level, from 1 (fastest) to 9 (smallest result). Defaults to 6. Another value is replaced by the nearest valid level.
  public var level: Int
  /// Whether files and streams are compressed twice: first to find the length, then to send it. Needed for
  /// servers that accept no chunked content. Defaults to false.
  public var announcesLength: Bool

  /// Creates a compression with a content coding and a level.
  public init(_ coding: Coding, level: Int = 6, announcesLength: Bool = false) {
    self.coding = coding
    self.level = level
    self.announcesLength = announcesLength
  }
}

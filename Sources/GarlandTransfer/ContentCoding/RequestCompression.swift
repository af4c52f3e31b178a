/// How a request's content is compressed on its way.
///
/// ```swift
/// session.upload(file: "books.json", to: url).compress(.gzip)
/// request.compression = RequestCompression(.deflate, level: 9)
/// ```
/// The content is compressed while it is sent, and never held as a whole. Its length is not known before: up to 64 KiB in memory are compressed first and their length
/// is announced, all else goes chunked, unless ``announcesLength`` asks for more. `Content-Encoding` is set, behind what it says already.
///
/// Few servers take compressed content, and nothing tells beforehand: one that does not should answer 415.
public struct RequestCompression: Sendable, Hashable {
  /// What is done to the content.
  public enum Coding: String, Sendable, Hashable, CaseIterable {
    /// RFC 1952.
    case gzip
    /// RFC 1950, as RFC 9110 wants it.
    case deflate
  }

  /// What is done to the content.
  public var coding: Coding
  /// From 1, the fastest, to 9, the smallest. Defaults to 6. What lies beyond counts as the nearest.
  public var level: Int
  /// Whether files and streams are compressed twice: first to know the length, for servers that take no chunks. Defaults to false.
  public var announcesLength: Bool

  /// A way to compress.
  public init(_ coding: Coding, level: Int = 6, announcesLength: Bool = false) {
    self.coding = coding
    self.level = level
    self.announcesLength = announcesLength
  }
}

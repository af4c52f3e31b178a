/// Parses the content as an XML or HTML tree.
public struct MarkupResponseSerializer: ResponseSerializer {
  /// The language of the content.
  public enum Language: Sendable, Hashable {
    /// Well-formed XML.
    case xml
    /// HTML, which may be malformed.
    case html
  }

  /// The language of the content.
  public var language: Language
  /// The name of the character set; nil to use the character set of the response, or else the character set that the document
  /// names.
  public var charset: String?

  /// Creates a serializer.
  public init(_ language: Language, charset: String? = nil) {
    self.language = language
    self.charset = charset
  }

  /// Parses the content and returns the document tree.
  public func serialize(_ content: ResponseContent) throws -> MarkupDocument {
    if content.bytes.isEmpty { throw NetworkingError.Serialization.empty }
    let charset = charset ?? content.charset
    switch language {
    case .xml: return try MarkupDocument(xml: content.bytes, charset: charset)
    case .html: return try MarkupDocument(html: content.bytes, charset: charset)
    }
  }
}

/// The content as an XML or HTML tree.
public struct MarkupResponseSerializer: ResponseSerializer {
  /// What the content is.
  public enum Language: Sendable, Hashable {
    /// Well-formed XML.
    case xml
    /// HTML, however it is written.
    case html
  }

  /// What the content is.
  public var language: Language
  /// The character set's name; nil to go by the response, else by the document itself.
  public var charset: String?

  /// A serializer.
  public init(_ language: Language, charset: String? = nil) {
    self.language = language
    self.charset = charset
  }

  /// The tree.
  public func serialize(_ content: ResponseContent) throws -> MarkupDocument {
    if content.bytes.isEmpty { throw NetworkingError.Serialization.empty }
    let charset = charset ?? content.charset
    switch language {
    case .xml: return try MarkupDocument(xml: content.bytes, charset: charset)
    case .html: return try MarkupDocument(html: content.bytes, charset: charset)
    }
  }
}

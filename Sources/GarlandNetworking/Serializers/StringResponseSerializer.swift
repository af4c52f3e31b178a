/// Decodes the content as text: in the given character set, otherwise in the character set of the content type, otherwise in ISO-8859-1.
public struct StringResponseSerializer: ResponseSerializer {
  /// The name of the character set; nil to use the character set of the response.
  public var charset: String?

  /// Creates a serializer.
  public init(charset: String? = nil) { self.charset = charset }

  /// Returns the text.
  public func serialize(_ content: ResponseContent) throws -> String {
    if try content.isRightlyEmpty() { return "" }
    let name = charset ?? content.charset ?? "ISO-8859-1"
    guard let text = Charset.decode(content.bytes, as: name) else { throw NetworkingError.Serialization.string(charset: name) }
    return text
  }
}

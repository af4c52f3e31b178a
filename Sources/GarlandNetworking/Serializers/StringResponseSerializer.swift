/// The content as text: in the given character set, else in that of the response's content type, else in ISO-8859-1.
public struct StringResponseSerializer: ResponseSerializer {
  /// The character set's name, nil to go by the response.
  public var charset: String?

  /// A serializer.
  public init(charset: String? = nil) { self.charset = charset }

  /// The text.
  public func serialize(_ content: ResponseContent) throws -> String {
    if try content.isRightlyEmpty() { return "" }
    let name = charset ?? content.charset ?? "ISO-8859-1"
    guard let text = Charset.decode(content.bytes, as: name) else { throw NetworkingError.Serialization.string(charset: name) }
    return text
  }
}

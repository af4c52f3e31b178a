import GarlandText

/// Decodes the content as text: in the given character set, otherwise in the character set of the content type, otherwise in ISO-8859-1.
public struct StringResponseSerializer: ResponseSerializer {
  /// The name of the character set; nil to use the character set of the response.
  public var charset: String?

  /// Creates a serializer.
  public init(charset: String? = nil) { self.charset = charset }

  /// Returns the text of the content.
  public func serialize(_ content: ResponseContent) throws -> String {
    if try content.isRightlyEmpty() { return "" }
    let name = charset ?? content.charset ?? "ISO-8859-1"
    guard let text = Charset.decode(content.bytes, as: name) else { throw NetworkingError.Serialization.string(charset: name) }
    return text
  }
}

/// Decodes text by the name of its character set (RFC 2978). This type decodes common character sets itself, and uses the C library for all
/// other character sets.
public enum Charset {
  /// Decodes bytes as text; nil if they are invalid in this character set, or if the character set
  /// is unknown. A byte order mark is not part of the text.
  public static func decode(_ bytes: [UInt8], as name: String) -> String? {
    try? TextDecoding.text(of: bytes, charset: name).get()
  }
}

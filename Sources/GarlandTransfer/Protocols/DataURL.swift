import GarlandText

/// A `data:` URL (RFC 2397), which contains its own content.
///
/// ```swift
/// let url = try DataURL("data:text/plain;base64,aGVsbG8=")
/// print(url.mediaType, url.bytes.count)                     // text/plain 5
/// ```
/// As in browsers, base64 may lack padding and contain spaces, and a fragment is ignored.
public struct DataURL: Sendable, Hashable {
  /// The media type with its parameters; `text/plain;charset=US-ASCII` if the URL contains none.
  public let mediaType: String
  /// The decoded content of the URL.
  public let bytes: [UInt8]

  /// Parses a URL. Throws ``NetworkingError/Reason/invalidRequest(_:)`` if the URL is invalid.
  public init(_ text: String) throws(NetworkingError) {
    let utf8 = text.utf8
    guard let scheme = Self.end(ofScheme: "data", in: text) else { throw Self.invalid("it does not begin with data:") }
    let end = utf8.firstIndex(of: UInt8(ascii: "#")) ?? utf8.endIndex
    guard let comma = utf8[scheme..<end].firstIndex(of: UInt8(ascii: ",")) else { throw Self.invalid("it has no comma") }
    var type = text[scheme..<comma].withoutBlanks
    let content = PercentEncoding.decode(text[utf8.index(after: comma)..<end])
    if let marked = Self.withoutBase64(type) {
      type = marked
      bytes = try Self.decode(content)
    } else {
      bytes = content
    }
    if type.utf8.first == UInt8(ascii: ";") {
      mediaType = "text/plain" + type
    } else {
      mediaType = type.utf8.contains(UInt8(ascii: "/")) ? String(type) : "text/plain;charset=US-ASCII"
    }
  }

  /// Returns the index after `scheme:`, which is case-insensitive; nil if the text does not begin with this scheme.
  static func end(ofScheme scheme: String, in text: String) -> String.Index? {
    let count = scheme.utf8.count
    let bytes = text.utf8
    guard let colon = bytes.index(bytes.startIndex, offsetBy: count, limitedBy: bytes.endIndex), colon < bytes.endIndex,
      bytes[colon] == UInt8(ascii: ":"), bytes.prefix(count).elementsEqual(scheme.utf8, by: { $0 | 0x20 == $1 })
    else { return nil }
    return bytes.index(after: colon)
  }

  /// Returns the text before a final `;base64`; nil if the text does not end with `;base64`.
  private static func withoutBase64(_ type: Substring) -> Substring? {
    guard let semicolon = type.utf8.lastIndex(of: UInt8(ascii: ";")),
      type[type.utf8.index(after: semicolon)...].withoutBlanks.lowercased() == "base64"
    else { return nil }
    return type[..<semicolon]
  }

  private static func decode(_ text: [UInt8]) throws(NetworkingError) -> [UInt8] {
    var digits = text.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0C && $0 != 0x0D }
    if digits.count % 4 == 0 { for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() } }
    while digits.count % 4 > 1 { digits.append(UInt8(ascii: "=")) }
    do throws(BinaryTextError) {
      return try Base64.decode(digits)
    } catch {
      throw invalid("\(error)")
    }
  }

  private static func invalid(_ detail: String) -> NetworkingError {
    NetworkingError(.invalidRequest("the data: URL is not valid: \(detail)"))
  }
}

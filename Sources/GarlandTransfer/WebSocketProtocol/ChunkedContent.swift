/// Decodes a chunked body in memory (RFC 9112, section 7.1).
enum ChunkedContent {
  /// The last bytes of a chunked body without a trailer.
  static let end = Array("0\r\n\r\n".utf8)

  /// Returns the content of the chunks in `bytes`. The last chunk may be incomplete.
  static func decode(_ bytes: [UInt8]) -> [UInt8] {
    var content: [UInt8] = []
    var rest = bytes[...]
    while let line = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let digits = String(decoding: rest[..<line].prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
      guard let size = Int(digits, radix: 16), size > 0 else { break }
      let chunk = rest[(line + 1)...].prefix(size)
      content += chunk
      rest = rest[chunk.endIndex...].dropFirst(2)
    }
    return content
  }
}

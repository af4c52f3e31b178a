import GarlandJSON

/// Splits a JSON text into its strings and the text between them.
enum JSONStrings {
  enum Token {
    /// The name of a member, with its quotes.
    case key(String)
    /// A string that is a value, with its quotes.
    case string(String)
    /// The JSON text between two strings, such as punctuation and numbers.
    case other(String)
  }

  /// Returns the tokens of a text, which must be valid JSON.
  static func tokens(of text: String) -> [Token] {
    var tokens: [Token] = []
    let bytes = Array(text.utf8)
    var start = 0
    var index = 0
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "\"") else {
        index += 1
        continue
      }
      if start < index { tokens.append(.other(part(start..<index))) }
      start = index
      index += 1
      while index < bytes.count, bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
      index = min(index + 1, bytes.count)
      let next = bytes[index...].first { $0 > 0x20 }
      tokens.append(next == UInt8(ascii: ":") ? .key(part(start..<index)) : .string(part(start..<index)))
      start = index
    }
    if start < bytes.count { tokens.append(.other(part(start..<bytes.count))) }
    return tokens
  }

  /// Returns the text that a quoted JSON string represents; nil if the string is invalid.
  static func value(of string: String) -> String? { (try? JSONValue(parsing: string))?.stringValue }
}

/// Finds where expressions begin and end in a text.
enum ExpressionScanner {
  /// Whether a text has anything that a template must look at: `${`, which `$${` has too.
  static func hasExpression(_ text: String) -> Bool {
    let found = text.utf8.withContiguousStorageIfAvailable { bytes -> Bool in
      guard bytes.count > 1 else { return false }
      for index in 0..<bytes.count - 1 where bytes[index] == UInt8(ascii: "$") && bytes[index + 1] == UInt8(ascii: "{") { return true }
      return false
    }
    return found ?? text.contains("${")
  }

  /// The offset behind the `}` that probably ends a mistaken expression; nil if there is none. Texts between quotes are passed over, unless
  /// that leads to the end.
  static func end(of bytes: [UInt8], from start: Int) -> Int? {
    var quote: UInt8?
    var plain: Int?
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "}") {
        if quote == nil { return index + 1 }
        if plain == nil { plain = index + 1 }
      } else if let open = quote {
        if byte == UInt8(ascii: "\\") { index += 1 } else if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      }
      index += 1
    }
    return plain
  }
}

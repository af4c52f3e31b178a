import Glibc

/// Finds the beginning and the end of expressions in a text.
package enum ExpressionScanner {
  /// A piece of a text: literal characters, or an expression.
  package enum Piece: Sendable, Equatable {
    case literal(String)
    /// The expression inside a `${…}`.
    case expression(String)
  }

  /// Whether a text contains `${`, which begins an expression, or the escape `$${`.
  package static func hasExpression(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { hasExpression($0) } ?? text.contains("${")
  }

  /// Whether a text contains `${`, which begins an expression, or the escape `$${`.
  ///
  /// - Parameter text: the text as UTF-8.
  static func hasExpression(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while let dollar = firstDollar(text, from: index) {
      guard dollar + 1 < text.count else { return false }
      if text[dollar + 1] == UInt8(ascii: "{") { return true }
      index = dollar + 1
    }
    return false
  }

  /// Returns the offset of the first `$` at or after `start`; nil if there is none.
  static func firstDollar(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard start < text.count, let base = text.baseAddress,
      let found = memchr(base + start, Int32(UInt8(ascii: "$")), text.count - start)
    else { return nil }
    return UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
  }

  /// Whether an expression begins at an offset. The result is also true for the `${` inside an escape `$${`, so the caller must skip
  /// escapes first.
  static func begins(at index: Int, in bytes: [UInt8]) -> Bool {
    index + 1 < bytes.count && bytes[index] == UInt8(ascii: "$") && bytes[index + 1] == UInt8(ascii: "{")
  }

  /// Returns the offset after the `}` that probably ends an invalid expression. This is the first `}` outside of quotes or, if there is
  /// none, the first `}` within quotes. Returns nil if there is no `}`.
  package static func end(of bytes: [UInt8], from start: Int) -> Int? {
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

  /// Splits a text into its literal characters and its expressions. The escape `$${` becomes a literal `${`. Returns nil if a `${` is not
  /// closed.
  package static func pieces(of text: String) -> [Piece]? {
    let bytes = Array(text.utf8)
    var pieces: [Piece] = []
    var literal: [UInt8] = []
    func flush() {
      if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
      literal = []
    }
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "$"), begins(at: index + 1, in: bytes) {
        literal += "${".utf8
        index += 3
      } else if begins(at: index, in: bytes) {
        guard let end = end(of: bytes, from: index + 2) else { return nil }
        flush()
        pieces.append(.expression(String(decoding: bytes[(index + 2)..<(end - 1)], as: UTF8.self)))
        index = end
      } else {
        literal.append(bytes[index])
        index += 1
      }
    }
    flush()
    return pieces
  }
}

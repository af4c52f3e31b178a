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
    let isComplete = split(bytes) { literal in
      pieces.append(.literal(literal))
    } expression: { start in
      let end = end(of: bytes, from: start)
      if let end { pieces.append(.expression(String(decoding: bytes[start..<(end - 1)], as: UTF8.self))) }
      return end
    }
    return isComplete ? pieces : nil
  }

  /// Splits a text into its literal characters and its expressions, in order. In literal characters, the escape `$${` becomes `${`.
  ///
  /// - Parameters:
  ///   - bytes: the text as UTF-8.
  ///   - literal: a closure that receives literal characters, never an empty text.
  ///   - expression: a closure that receives the offset of an expression, after its `${`. It returns the offset after its `}`, or nil if
  ///     the expression is not closed, which ends the splitting.
  /// - Returns: whether all expressions are closed.
  @discardableResult static func split(_ bytes: [UInt8], literal: (String) -> Void, expression: (Int) -> Int?) -> Bool {
    // The literal characters before the last escape, and the offset of those after it.
    var escaped: [UInt8] = []
    var start = 0
    var index = 0
    func finishLiteral(at end: Int) {
      if !escaped.isEmpty {
        literal(String(decoding: escaped + bytes[start..<end], as: UTF8.self))
        escaped = []
      } else if start < end {
        literal(String(decoding: bytes[start..<end], as: UTF8.self))
      }
    }
    while let dollar = bytes[index...].firstIndex(of: UInt8(ascii: "$")) {
      if begins(at: dollar + 1, in: bytes) {
        // Only the first `$` of the escape is left out.
        escaped += bytes[start..<dollar]
        start = dollar + 1
        index = dollar + 3
      } else if begins(at: dollar, in: bytes) {
        finishLiteral(at: dollar)
        guard let end = expression(dollar + 2) else { return false }
        start = end
        index = end
      } else {
        index = dollar + 1
      }
    }
    finishLiteral(at: bytes.count)
    return true
  }
}

import GarlandJSON
import GarlandText

/// Splits an expression into tokens, one at a time. It reads the UTF-8 text of the scalar that contains the expression.
///
/// Names may contain `-`, as ids and names of header fields do. Therefore, a minus sign between two names must have spaces around it.
struct Lexer {
  private let bytes: [UInt8]
  private(set) var position: Int
  /// Whether a `}` ends the expression. If false, the expression ends with the text.
  private let isBraced: Bool

  init(_ bytes: [UInt8], from position: Int, isBraced: Bool) {
    self.bytes = bytes
    self.position = position
    self.isBraced = isBraced
  }

  mutating func next() throws(ExpressionSyntaxError) -> Token {
    while position < bytes.count, bytes[position].isWhiteSpace { position += 1 }
    let start = position
    guard start < bytes.count else { return Token(kind: .end, range: start..<start) }
    let byte = bytes[start]
    if Self.isNameStart(byte) { return name(from: start) }
    if byte.isDigit { return try number(from: start) }
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return try string(from: start, quote: byte)
    case UInt8(ascii: "}") where isBraced: return Token(kind: .end, range: start..<start + 1)
    default: return try symbol(from: start)
    }
  }

  private mutating func name(from start: Int) -> Token {
    position += 1
    while position < bytes.count, Self.isNamePart(bytes[position]) { position += 1 }
    return Token(kind: .name(text(start..<position)), range: start..<position)
  }

  /// Reads a number in the syntax of JSON, but without a sign.
  private mutating func number(from start: Int) throws(ExpressionSyntaxError) -> Token {
    while position < bytes.count, bytes[position].isDigit { position += 1 }
    if position + 1 < bytes.count, bytes[position] == UInt8(ascii: "."), bytes[position + 1].isDigit {
      position += 1
      while position < bytes.count, bytes[position].isDigit { position += 1 }
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      var ahead = position + 1
      if ahead < bytes.count, bytes[ahead] == UInt8(ascii: "+") || bytes[ahead] == UInt8(ascii: "-") { ahead += 1 }
      if ahead < bytes.count, bytes[ahead].isDigit {
        position = ahead
        while position < bytes.count, bytes[position].isDigit { position += 1 }
      }
    }
    let end = position
    var tail = end
    while tail < bytes.count, Self.isNamePart(bytes[tail]) { tail += 1 }
    guard tail == end, let number = JSONNumber(text(start..<end)) else {
      let before = bytes[..<start].last { $0 != 0x20 }
      if tail > end, before == UInt8(ascii: "+") || before == UInt8(ascii: "-") {
        throw ExpressionSyntaxError(
          message: "`\(text(start..<tail))` is not a number", range: start..<tail,
          help: "to change a time, use a filter: `now() | add('\(before == UInt8(ascii: "-") ? "-" : "")\(text(start..<tail))')`")
      }
      throw ExpressionSyntaxError(
        message: "`\(text(start..<tail))` is \(tail > end ? "neither a number nor a name" : "not a number")", range: start..<tail,
        help: tail > end ? "put it in quotes: `'\(text(start..<tail))'`" : "write a number as JSON does, such as `12` or `0.5`",
        replacement: tail > end ? "'\(text(start..<tail))'" : nil)
    }
    return Token(kind: .number(number), range: start..<end)
  }

  /// Reads a text in quotes, `'…'` or `"…"`, with the escapes of JSON and `\'`.
  private mutating func string(from start: Int, quote: UInt8) throws(ExpressionSyntaxError) -> Token {
    var content: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      if byte == quote {
        position += 1
        return Token(kind: .string(String(decoding: content, as: UTF8.self)), range: start..<position)
      }
      if byte == UInt8(ascii: "\\") {
        try escape(into: &content)
      } else {
        content.append(byte)
        position += 1
      }
    }
    throw ExpressionSyntaxError(
      code: .unclosedExpression, message: "the text that starts here has no closing quote", range: start..<start + 1,
      help: "close the text with `\(Character(UnicodeScalar(quote)))`")
  }

  private mutating func escape(into content: inout [UInt8]) throws(ExpressionSyntaxError) {
    let start = position
    position += 2
    switch start + 1 < bytes.count ? bytes[start + 1] : 0 {
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case let byte where byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/"):
      content.append(byte)
    case UInt8(ascii: "u"):
      var code = try hexadecimal(start)
      if 0xD800...0xDBFF ~= code, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
        bytes[position + 1] == UInt8(ascii: "u")
      {
        position += 2
        let low = try hexadecimal(start)
        guard 0xDC00...0xDFFF ~= low else { throw unknownEscape(start) }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = UnicodeScalar(code) else { throw unknownEscape(start) }
      content.append(contentsOf: Array(String(Character(scalar)).utf8))
    default:
      position = min(position, bytes.count)
      throw unknownEscape(start)
    }
  }

  private mutating func hexadecimal(_ start: Int) throws(ExpressionSyntaxError) -> UInt32 {
    guard position + 4 <= bytes.count, let value = UInt32(text(position..<position + 4), radix: 16) else { throw unknownEscape(start) }
    position += 4
    return value
  }

  private func unknownEscape(_ start: Int) -> ExpressionSyntaxError {
    let end = min(max(position, start + 1), bytes.count)
    return ExpressionSyntaxError(
      message: "`\(text(start..<end))` is not an escape", range: start..<end,
      help: "the escapes are `\\n`, `\\r`, `\\t`, `\\b`, `\\f`, `\\u00E9`, `\\\\`, `\\'` and `\\\"`")
  }

  private mutating func symbol(from start: Int) throws(ExpressionSyntaxError) -> Token {
    if start + 1 < bytes.count, let symbol = Token.Symbol(rawValue: text(start..<start + 2)), symbol.rawValue.utf8.count == 2 {
      position += 2
      return Token(kind: .symbol(symbol), range: start..<start + 2)
    }
    // The skipped part is a whole character, which may consist of several bytes.
    var end = start + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    let character = text(start..<end)
    if let symbol = Token.Symbol(rawValue: character) {
      position += 1
      return Token(kind: .symbol(symbol), range: start..<end)
    }
    if character == "=", start > 1, bytes[start - 1] == UInt8(ascii: "=") {
      // JavaScript's `===` and `!==`, of which the first two characters were read as an operator.
      let comparison = text(start - 2..<start)
      throw ExpressionSyntaxError(
        message: "`\(comparison)=` is not an operator", range: start - 2..<end, help: "write `\(comparison)`", replacement: comparison)
    }
    var error = ExpressionSyntaxError(message: "`\(character)` has no meaning in an expression", range: start..<end)
    switch character {
    case "=":
      error.help = "compare with `==`"
      error.replacement = "=="
    case "&":
      error.help = "`and` is written `&&`"
      error.replacement = "&&"
    case "?": error.help = "an expression has no `a ? b : c`; for a default in place of undefined or null, write `a ?? b`"
    case "{", "$":
      let function = character == "$" ? foreignFunction(from: start) : nil
      error.help =
        function.map { "in Garland, write `\($0.expression)`" }
        ?? "an expression can't contain another `${…}` or `{…}`; write a name without `${` and `}`"
      error.replacement = function?.expression
      error.fixRange = function.map { start..<$0.end }
    case ":" where end < bytes.count && bytes[end] == UInt8(ascii: "-"):
      error.help = "for a default in place of undefined or null, write `a ?? b`"
    case "%": error.help = "the operators are `+`, `-`, `*` and `/`"
    case "“", "”", "‘", "’": error.help = "write text in plain quotes: `'…'`"
    default: break
    }
    throw error
  }

  /// Reads the name of another tool's generated value, such as `$guid`. Returns Garland's expression for this value, and the offset after
  /// the name; nil if Garland has no such expression.
  private func foreignFunction(from start: Int) -> (end: Int, expression: String)? {
    let end = bytes[(start + 1)...].firstIndex { !Self.isNamePart($0) } ?? bytes.endIndex
    return ForeignFunction.expression(text(start..<end)).map { (end, $0) }
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Whether a name may begin with the given byte.
  static func isNameStart(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "_") || byte.isLetter }

  /// Whether a name may contain the given byte.
  static func isNamePart(_ byte: UInt8) -> Bool { isNameStart(byte) || byte.isDigit || byte == UInt8(ascii: "-") }
}

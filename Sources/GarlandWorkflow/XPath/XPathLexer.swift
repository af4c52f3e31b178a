import GarlandText

/// Splits an XPath expression into tokens. The preceding token determines whether a name is an operator (section 3.7).
struct XPathLexer {
  private let bytes: [UInt8]
  private var position = 0
  private var previous: XPathToken.Kind?

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func tokens(of bytes: [UInt8]) throws(XPathSyntaxError) -> [XPathToken] {
    var lexer = XPathLexer(bytes)
    var tokens: [XPathToken] = []
    while true {
      let token = try lexer.next()
      tokens.append(token)
      lexer.previous = token.kind
      if token.kind == .end { return tokens }
    }
  }

  private mutating func skipSpace() {
    while position < bytes.count, bytes[position].isWhiteSpace { position += 1 }
  }

  private func peek(_ distance: Int = 0) -> UInt8? { position + distance < bytes.count ? bytes[position + distance] : nil }

  private mutating func next() throws(XPathSyntaxError) -> XPathToken {
    skipSpace()
    let start = position
    guard let byte = peek() else { return XPathToken(kind: .end, range: start..<start) }
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "@"), UInt8(ascii: ","),
      UInt8(ascii: "|"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "="):
      return symbol(1)
    case UInt8(ascii: "/"): return symbol(peek(1) == byte ? 2 : 1)
    case UInt8(ascii: "<"), UInt8(ascii: ">"): return symbol(peek(1) == UInt8(ascii: "=") ? 2 : 1)
    case UInt8(ascii: "!"):
      if peek(1) == UInt8(ascii: "=") { return symbol(2) }
      throw XPathSyntaxError(
        "`!` is not an operator", at: start..<start + 1, help: "for unequal, write `!=`; to negate a condition, write `not(…)`")
    case UInt8(ascii: ":"):
      if peek(1) == byte { return symbol(2) }
      throw XPathSyntaxError("`:` is not an operator", at: start..<start + 1)
    case UInt8(ascii: "."):
      if let digit = peek(1), digit.isDigit { return number() }
      return symbol(peek(1) == byte ? 2 : 1)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return try literal(byte)
    case UInt8(ascii: "*"):
      position += 1
      return XPathToken(kind: expectsOperator ? .operatorName("*") : .nameTest(prefix: nil, name: "*"), range: start..<position)
    case UInt8(ascii: "$"):
      position += 1
      let name = self.name() ?? ""
      if peek() == UInt8(ascii: "{") {
        throw XPathSyntaxError("an XPath can't contain `${…}`", at: start..<bytes.count)
      }
      return XPathToken(kind: .variable(name), range: start..<position)
    default: return try word(start)
    }
  }

  private mutating func symbol(_ length: Int) -> XPathToken {
    let range = position..<position + length
    position += length
    return XPathToken(kind: .symbol(String(decoding: bytes[range], as: UTF8.self)), range: range)
  }

  private mutating func number() -> XPathToken {
    let start = position
    while let byte = peek(), byte.isDigit { position += 1 }
    if peek() == UInt8(ascii: ".") {
      position += 1
      while let byte = peek(), byte.isDigit { position += 1 }
    }
    return XPathToken(kind: .number, range: start..<position)
  }

  private mutating func literal(_ quote: UInt8) throws(XPathSyntaxError) -> XPathToken {
    let start = position
    guard let end = bytes[(start + 1)...].firstIndex(of: quote) else {
      throw XPathSyntaxError("the text is not closed", at: start..<bytes.count, help: "close it with `\(Character(Unicode.Scalar(quote)))`")
    }
    position = end + 1
    return XPathToken(kind: .literal(String(decoding: bytes[start + 1..<end], as: UTF8.self)), range: start..<position)
  }

  private mutating func word(_ start: Int) throws(XPathSyntaxError) -> XPathToken {
    guard let first = name() else {
      var end = start + 1
      while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
      let found = String(decoding: bytes[start..<end], as: UTF8.self)
      throw XPathSyntaxError("unexpected `\(found)`", at: start..<end, help: found == "&" ? "to require both conditions, write `and`" : nil)
    }
    if expectsOperator {
      guard ["and", "or", "mod", "div"].contains(first) else {
        throw XPathSyntaxError(
          "expected an operator or the end of the path, found `\(first)`", at: start..<position,
          help: "write `/` or an operator between two names")
      }
      return XPathToken(kind: .operatorName(first), range: start..<position)
    }
    var prefix: String?
    var local = first
    if peek() == UInt8(ascii: ":"), peek(1) != UInt8(ascii: ":") {
      position += 1
      prefix = first
      if peek() == UInt8(ascii: "*") {
        position += 1
        local = "*"
      } else if let name = name() {
        local = name
      } else {
        throw XPathSyntaxError("the prefix `\(first):` has no name after it", at: start..<position)
      }
    }
    let end = position
    skipSpace()
    defer { if position != end, peek() != UInt8(ascii: "("), peek() != UInt8(ascii: ":") { position = end } }
    if peek() == UInt8(ascii: "("), local != "*" {
      let full = prefix.map { "\($0):\(local)" } ?? local
      let isNodeType = prefix == nil && ["text", "node", "comment", "processing-instruction"].contains(local)
      return XPathToken(kind: isNodeType ? .nodeType(full) : .function(full), range: start..<end)
    }
    if peek() == UInt8(ascii: ":"), peek(1) == UInt8(ascii: ":"), prefix == nil {
      return XPathToken(kind: .axis(local), range: start..<end)
    }
    return XPathToken(kind: .nameTest(prefix: prefix, name: local), range: start..<end)
  }

  /// Reads a name without a colon (an NCName). Returns nil if there is no name at the current position.
  private mutating func name() -> String? {
    let start = position
    guard let first = peek(), Self.isNameStart(first) else { return nil }
    while let byte = peek(), Self.isNameStart(byte) || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") {
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Whether a name or `*` at the current position is an operator (XPath 1.0, section 3.7). False at the start of the expression, and after
  /// `@`, `::`, `(`, `[`, `,` or an operator; otherwise true.
  private var expectsOperator: Bool {
    switch previous {
    case nil, .operatorName, .axis, .function, .nodeType: false
    case .symbol(let text): [")", "]", ".", ".."].contains(text)
    case .nameTest, .literal, .number, .variable, .end: true
    }
  }

  private static func isNameStart(_ byte: UInt8) -> Bool {
    byte.isLetter || byte == UInt8(ascii: "_") || byte >= 0x80
  }
}

/// A token of XPath 1.0 (section 3.7).
struct XPathToken: Hashable {
  enum Kind: Hashable {
    /// A symbol: one of `( ) [ ] . .. @ , ::`, or one of the operators `/ // | + - = != < <= > >=`.
    case symbol(String)
    /// An operator with a name (`and`, `or`, `mod` or `div`), or the multiplication operator `*`.
    case operatorName(String)
    /// A test for the name of a node, such as `title`, `*`, `a:title` or `a:*`.
    case nameTest(prefix: String?, name: String)
    /// The name of a function. `(` follows it.
    case function(String)
    /// The type of a node, before a `(`: `text`, `node`, `comment` or `processing-instruction`.
    case nodeType(String)
    /// The name of an axis. `::` follows it.
    case axis(String)
    case literal(String)
    case number
    case variable(String)
    case end
  }

  let kind: Kind
  let range: Range<Int>
}

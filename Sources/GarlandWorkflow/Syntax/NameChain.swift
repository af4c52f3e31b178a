/// Parses chains of names with dots between them, such as `login.token` and `vars.user`. Most expressions of a large document are such
/// chains.
///
/// Chains are parsed without creating tokens, with the same result as the result of the parser.
enum NameChain {
  /// The maximum number of names in a chain. ``ExpressionParser`` parses longer chains.
  private static let most = 8

  /// Parses a chain of names. Returns the chain and the offset after the `}` that ends it; nil for any other text.
  static func parse(_ bytes: [UInt8], from start: Int) -> (node: SyntaxNode, end: Int)? {
    guard let end = end(of: bytes, from: start) else { return nil }
    var chain: SyntaxNode?
    var first = start
    for position in start...end where position == end || bytes[position] == UInt8(ascii: ".") {
      let name = String(decoding: bytes[first..<position], as: UTF8.self)
      if let inner = chain {
        chain = SyntaxNode(.member(inner, name: name, nameRange: first..<position), start..<position, depth: inner.depth + 1)
      } else {
        // These names are constants.
        guard name != "true", name != "false", name != "null" else { return nil }
        chain = SyntaxNode(.name(name), first..<position, depth: 1)
      }
      first = position + 1
    }
    return chain.map { ($0, end + 1) }
  }

  /// Returns the offset of the `}` that ends a chain of names; nil if the text is not such a chain.
  private static func end(of bytes: [UInt8], from start: Int) -> Int? {
    var position = start
    var isStart = true
    var names = 0
    while position < bytes.count {
      let byte = bytes[position]
      if isStart {
        guard names < most, Lexer.isNameStart(byte) else { return nil }
        isStart = false
        names += 1
      } else if byte == UInt8(ascii: ".") {
        isStart = true
      } else if byte == UInt8(ascii: "}") {
        return position
      } else if !Lexer.isNamePart(byte) {
        return nil
      }
      position += 1
    }
    return nil
  }
}

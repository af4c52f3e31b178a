import GarlandJSON

/// Parses the text of an expression into a tree, by precedence climbing.
///
/// The operators, from the lowest to the highest precedence, are: `??`, `||`, `&&`, `== !=`, `< <= > >=`, `| filter`, `+ -`, `* /`, `! -`,
/// `.member [index]`. Parentheses are required if `??` is combined with `||` or `&&`, or if a filter follows the right operand of `??`,
/// since people understand such expressions in different ways.
struct ExpressionParser {
  /// The maximum depth of an expression's tree: 100. Expressions written by hand are far less deep, and an expression of this depth can be
  /// evaluated without exceeding the stack.
  static let maximumDepth = 100

  private var lexer: Lexer
  private var token: Token
  private var nesting = 0
  private var previousEnd: Int
  private var previous: Token?

  /// Creates a parser.
  ///
  /// - Parameters:
  ///   - bytes: the text of the scalar that contains the expression.
  ///   - start: the offset at which the expression begins, after `${`.
  ///   - isBraced: whether a `}` ends the expression.
  init(_ bytes: [UInt8], from start: Int, isBraced: Bool) throws(ExpressionSyntaxError) {
    lexer = Lexer(bytes, from: start, isBraced: isBraced)
    token = try lexer.next()
    previousEnd = start
  }

  /// Parses an expression. Returns the tree of the expression, and the offset at which parsing ended: after the closing `}` if `isBraced`
  /// is true, otherwise at the end of the text.
  static func parse(_ bytes: [UInt8], from start: Int, isBraced: Bool) throws(ExpressionSyntaxError) -> (node: SyntaxNode, end: Int) {
    var parser = try ExpressionParser(bytes, from: start, isBraced: isBraced)
    if parser.token.kind == .end {
      guard !isBraced || !parser.token.range.isEmpty else { throw unclosed(start) }
      throw ExpressionSyntaxError(
        message: "the expression is empty", range: max(0, start - 2)..<parser.token.range.upperBound,
        help: "write a value, such as `${vars.user}`; for a literal `${`, write `$${`")
    }
    let node: SyntaxNode
    do {
      node = try parser.expression(above: 0)
    } catch {
      throw error
    }
    guard parser.token.kind == .end else { throw parser.unexpected() }
    guard !isBraced || !parser.token.range.isEmpty else { throw unclosed(start) }
    return (node, parser.token.range.upperBound)
  }

  /// Parses filters that are written without a value before them, such as `trim | upper`.
  static func parseFilters(_ bytes: [UInt8]) throws(ExpressionSyntaxError) -> SyntaxNode {
    var parser = try ExpressionParser(bytes, from: 0, isBraced: false)
    if parser.token.kind == .symbol(.pipe) { try parser.advance() }
    var node = try parser.filterCall(SyntaxNode(.subject, 0..<0, depth: 1))
    while parser.token.kind == .symbol(.pipe) { node = try parser.filter(node) }
    guard parser.token.kind == .end else { throw parser.unexpected(instead: "`|`") }
    return node
  }

  static func unclosed(_ start: Int) -> ExpressionSyntaxError {
    ExpressionSyntaxError(
      code: .unclosedExpression, message: "`${` has no closing `}`", range: max(0, start - 2)..<start,
      help: "end the expression with `}`, or write `$${` for a literal `${`")
  }

  // MARK: Operators

  private mutating func expression(above minimum: Int) throws(ExpressionSyntaxError) -> SyntaxNode {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= Self.maximumDepth else { throw tooDeep(token.range) }
    var left = try unary()
    while case .symbol(let symbol) = token.kind {
      if symbol == .pipe {
        guard BinaryOperator.filterPrecedence > minimum else { break }
        left = try filter(left)
        continue
      }
      guard let operation = BinaryOperator(rawValue: symbol.rawValue), operation.precedence > minimum else { break }
      let operatorRange = token.range
      try advance()
      let right = try expression(above: operation.precedence)
      try refuseMixing(operation, left, right, operatorRange)
      left = try node(.binary(operation, left, right), left.outerRange.lowerBound..<right.outerRange.upperBound, over: [left, right])
    }
    return left
  }

  private func refuseMixing(
    _ operation: BinaryOperator, _ left: SyntaxNode, _ right: SyntaxNode, _ range: Range<Int>
  ) throws(ExpressionSyntaxError) {
    for side in [left, right] where !side.isParenthesised {
      if case .binary(let inner, _, _) = side.kind, operation == .coalesce, inner == .or || inner == .and {
        throw ExpressionSyntaxError(
          message: "`??` together with `\(inner.rawValue)` needs parentheses", range: range,
          help: "write `(a ?? b) \(inner.rawValue) c` or `a ?? (b \(inner.rawValue) c)`")
      }
    }
    if operation == .coalesce, !right.isParenthesised, case .filter(_, let name, _, _) = right.kind {
      throw ExpressionSyntaxError(
        message: "`| \(name)` after `??` needs parentheses", range: range,
        help: "write `(a ?? b) | \(name)` to filter either value, or `a ?? (b | \(name))`")
    }
  }

  private mutating func unary() throws(ExpressionSyntaxError) -> SyntaxNode {
    guard case .symbol(let symbol) = token.kind, let operation = UnaryOperator(rawValue: symbol.rawValue) else { return try postfix() }
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= Self.maximumDepth else { throw tooDeep(token.range) }
    let start = token.range.lowerBound
    try advance()
    let operand = try unary()
    if operation == .negate, case .literal(.number(let number)) = operand.kind, let negative = JSONNumber("-" + number.text) {
      return try node(.literal(.number(negative)), start..<operand.outerRange.upperBound, over: [])
    }
    return try node(.unary(operation, operand), start..<operand.outerRange.upperBound, over: [operand])
  }

  private mutating func filter(_ input: SyntaxNode) throws(ExpressionSyntaxError) -> SyntaxNode {
    try advance()
    return try filterCall(input)
  }

  private mutating func filterCall(_ input: SyntaxNode) throws(ExpressionSyntaxError) -> SyntaxNode {
    guard case .name(let name) = token.kind else {
      throw ExpressionSyntaxError(
        message: "expected the name of a filter\(previous == nil ? "" : " after `|`"), found \(token.words)", range: visible(token.range),
        help: token.kind == .symbol(.pipe) ? "`or` is written `||`, without a space" : nil)
    }
    let nameRange = token.range
    try advance()
    var arguments: [SyntaxNode] = []
    if token.kind == .symbol(.openParenthesis) { arguments = try self.arguments() }
    return try node(
      .filter(input, name: name, nameRange: nameRange, arguments: arguments), input.outerRange.lowerBound..<previousEnd,
      over: [input] + arguments)
  }

  // MARK: Values

  private mutating func postfix() throws(ExpressionSyntaxError) -> SyntaxNode {
    var base = try primary()
    while case .symbol(let symbol) = token.kind {
      if symbol == .dot {
        try advance()
        guard case .name(let name) = token.kind else { throw memberExpected() }
        let nameRange = token.range
        try advance()
        base = try node(.member(base, name: name, nameRange: nameRange), base.outerRange.lowerBound..<nameRange.upperBound, over: [base])
      } else if symbol == .openBracket {
        let open = token.range
        try advance()
        let index = try expression(above: 0)
        try expect(.closeBracket, open: open)
        base = try node(.element(base, index: index), base.outerRange.lowerBound..<previousEnd, over: [base, index])
      } else {
        break
      }
    }
    return base
  }

  private func memberExpected() -> ExpressionSyntaxError {
    var error = ExpressionSyntaxError(message: "expected a name after `.`, found \(token.words)", range: visible(token.range))
    switch token.kind {
    case .number(let number):
      error.help = "to select an item of a list, write `[\(number.text)]`"
      if number.intValue != nil, token.range.lowerBound > 0 {
        error.replacement = "[\(number.text)]"
        error.fixRange = token.range.lowerBound - 1..<token.range.upperBound
      }
    case .string(let text): error.help = "write a name with other characters in brackets: `['\(text)']`"
    default: break
    }
    return error
  }

  private mutating func primary() throws(ExpressionSyntaxError) -> SyntaxNode {
    let start = token
    switch start.kind {
    case .number(let number):
      try advance()
      return try node(.literal(.number(number)), start.range, over: [])
    case .string(let text):
      try advance()
      return try node(.literal(.string(text)), start.range, over: [])
    case .name(let name):
      try advance()
      if token.kind == .symbol(.openParenthesis) {
        let arguments = try self.arguments()
        return try node(
          .call(name: name, nameRange: start.range, arguments: arguments), start.range.lowerBound..<previousEnd, over: arguments)
      }
      switch name {
      case "true": return try node(.literal(true), start.range, over: [])
      case "false": return try node(.literal(false), start.range, over: [])
      case "null": return try node(.literal(.null), start.range, over: [])
      default: return try node(.name(name), start.range, over: [])
      }
    case .symbol(.openParenthesis):
      try advance()
      let inner = try expression(above: 0)
      try expect(.closeParenthesis, open: start.range)
      inner.outerRange = start.range.lowerBound..<previousEnd
      return inner
    case .symbol(.openBracket):
      try advance()
      let items = try items(until: .closeBracket, open: start.range)
      return try node(.list(items), start.range.lowerBound..<previousEnd, over: items)
    case .end, .symbol: throw unexpected()
    }
  }

  private mutating func arguments() throws(ExpressionSyntaxError) -> [SyntaxNode] {
    let open = token.range
    try advance()
    return try items(until: .closeParenthesis, open: open)
  }

  private mutating func items(until close: Token.Symbol, open: Range<Int>) throws(ExpressionSyntaxError) -> [SyntaxNode] {
    var items: [SyntaxNode] = []
    while token.kind != .symbol(close) {
      items.append(try expression(above: 0))
      guard token.kind == .symbol(.comma) else { break }
      try advance()
    }
    try expect(close, open: open)
    return items
  }

  // MARK: Tokens

  private mutating func advance() throws(ExpressionSyntaxError) {
    previousEnd = token.range.upperBound
    previous = token
    token = try lexer.next()
  }

  private mutating func expect(_ symbol: Token.Symbol, open: Range<Int>) throws(ExpressionSyntaxError) {
    guard token.kind == .symbol(symbol) else {
      if token.kind == .end {
        throw ExpressionSyntaxError(message: "this bracket has no closing `\(symbol.rawValue)`", range: open)
      }
      throw unexpected(instead: "`\(symbol.rawValue)`")
    }
    try advance()
  }

  private func unexpected(instead expected: String? = nil) -> ExpressionSyntaxError {
    if let previous, case .name("not") = previous.kind, token.kind != .end {
      return ExpressionSyntaxError(
        message: "`not` is not allowed here", range: previous.range.lowerBound..<token.range.lowerBound, help: "`not` is written `!`",
        replacement: "!")
    }
    var error = ExpressionSyntaxError(
      message: expected.map { "expected \($0), found \(token.words)" } ?? "\(token.words ) is not allowed here", range: visible(token.range)
    )
    if case .name(let name) = token.kind {
      switch name {
      case "and": (error.help, error.replacement) = ("`and` is written `&&`", "&&")
      case "or": (error.help, error.replacement) = ("`or` is written `||`", "||")
      case "not": (error.help, error.replacement) = ("`not` is written `!`", "!")
      case "is": error.help = "compare with `==`; to check that a value exists, write `!= null`"
      case "in", "contains": error.help = "to check whether a list has an item, write `list | filter(item == 1) | length > 0`"
      default:
        if case .name(let first) = previous?.kind, expected == nil {
          error.help = "a member with a space in its name is written in brackets, as in `json['\(first) \(name)']`"
        }
      }
    }
    if token.kind == .symbol(.openParenthesis), expected == nil { error.help = "write a filter after `|`, such as `vars.name | upper`" }
    if token.kind == .end, expected == nil {
      return ExpressionSyntaxError(message: "the expression ends too early", range: visible(token.range))
    }
    return error
  }

  /// Returns a range that a diagnostic can underline: an empty range, such as at the end of the text, is extended by the character before
  /// it.
  private func visible(_ range: Range<Int>) -> Range<Int> {
    range.isEmpty && range.lowerBound > 0 ? range.lowerBound - 1..<range.upperBound : range
  }

  private func tooDeep(_ range: Range<Int>) -> ExpressionSyntaxError {
    ExpressionSyntaxError(
      message: "the expression is nested more than \(Self.maximumDepth) levels deep", range: visible(range),
      help: "move parts of it into `vars`"
    )
  }

  private func node(_ kind: SyntaxNode.Kind, _ range: Range<Int>, over children: [SyntaxNode]) throws(ExpressionSyntaxError) -> SyntaxNode {
    var depth = 1
    for child in children { depth = max(depth, child.depth + 1) }
    guard depth <= Self.maximumDepth else { throw tooDeep(range) }
    return SyntaxNode(kind, range, depth: depth)
  }
}

import GarlandDiagnostics

/// Checks the syntax of an XPath 1.0 expression, and determines the type of its result. The parser builds no tree, since `MarkupDocument`
/// evaluates expressions.
struct XPathParser {
  private let bytes: [UInt8]
  private var tokens: [XPathToken] = []
  private var position = 0
  private var depth = 0
  private(set) var usesPrefixes = false
  private(set) var namesPlainElements = false

  /// The maximum nesting depth of expressions: 100. It also limits the depth of their evaluation.
  static let deepest = 100

  private static let axes: Set<String> = [
    "ancestor", "ancestor-or-self", "attribute", "child", "descendant", "descendant-or-self", "following", "following-sibling",
    "parent", "preceding", "preceding-sibling", "self",
  ]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func parse() throws(XPathSyntaxError) -> XPath.Result {
    if bytes.starts(with: "$.".utf8) || bytes.starts(with: "$[".utf8) || bytes == [UInt8(ascii: "$")] {
      throw XPathSyntaxError("expected an XPath, found a JSONPath", at: 0..<bytes.count, help: "write a JSONPath under `json:`")
    }
    tokens = try XPathLexer.tokens(of: bytes)
    if tokens.count == 1 { throw XPathSyntaxError("the XPath is empty", at: 0..<bytes.count) }
    let result = try expression()
    guard token.kind == .end else { throw unexpected("expected an operator or the end of the path") }
    return result
  }

  // MARK: Tokens

  private var token: XPathToken { tokens[min(position, tokens.count - 1)] }

  private mutating func take(_ symbol: String) -> Bool {
    guard token.kind == .symbol(symbol) else { return false }
    position += 1
    return true
  }

  private mutating func takeOperator(_ symbols: [String], names: [String] = []) -> Bool {
    switch token.kind {
    case .symbol(let text) where symbols.contains(text), .operatorName(let text) where names.contains(text):
      position += 1
      return true
    default: return false
    }
  }

  private mutating func require(_ symbol: String, for opening: Range<Int>) throws(XPathSyntaxError) {
    guard !take(symbol) else { return }
    if token.kind == .end {
      let open = String(decoding: bytes[opening], as: UTF8.self)
      throw XPathSyntaxError("`\(open)` is not closed", at: opening, help: "close it with `\(symbol)`")
    }
    throw unexpected("expected `\(symbol)`")
  }

  private func unexpected(_ words: String, help: String? = nil) -> XPathSyntaxError {
    let found = token.kind == .end ? "the end of the path" : "`\(String(decoding: bytes[token.range], as: UTF8.self))`"
    return XPathSyntaxError("\(words), found \(found)", at: token.range, help: help)
  }

  // MARK: Expressions, section 3

  private mutating func expression() throws(XPathSyntaxError) -> XPath.Result {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw XPathSyntaxError("the XPath is nested too deeply", at: token.range) }
    return try binary(0)
  }

  /// The operators by precedence, from the lowest to the highest.
  private static let levels: [(symbols: [String], names: [String], result: XPath.Result)] = [
    ([], ["or"], .boolean), ([], ["and"], .boolean), (["=", "!="], [], .boolean), (["<", "<=", ">", ">="], [], .boolean),
    (["+", "-"], [], .number), ([], ["*", "div", "mod"], .number),
  ]

  private mutating func binary(_ level: Int) throws(XPathSyntaxError) -> XPath.Result {
    guard level < Self.levels.count else { return try unary() }
    var result = try binary(level + 1)
    while takeOperator(Self.levels[level].symbols, names: Self.levels[level].names) {
      // `a == b` is a common mistake.
      if level == 2, token.kind == .symbol("=") {
        throw XPathSyntaxError("`==` is written `=` in XPath", at: token.range, help: "remove one `=`", replacement: "")
      }
      _ = try binary(level + 1)
      result = Self.levels[level].result
    }
    return result
  }

  private mutating func unary() throws(XPathSyntaxError) -> XPath.Result {
    var isNegative = false
    while take("-") { isNegative = true }
    let result = try union()
    return isNegative ? .number : result
  }

  private mutating func union() throws(XPathSyntaxError) -> XPath.Result {
    let start = token.range.lowerBound
    let result = try path()
    let end = tokens[max(position - 1, 0)].range.upperBound
    while take("|") {
      guard result == .nodes else {
        throw XPathSyntaxError("`|` joins two sets of nodes, but this expression does not select nodes", at: start..<end)
      }
      let other = token.range.lowerBound
      guard try path() == .nodes else {
        throw XPathSyntaxError(
          "`|` joins two sets of nodes, but this expression does not select nodes", at: other..<tokens[position - 1].range.upperBound)
      }
    }
    return result
  }

  /// Parses a location path, or a filter expression followed by a location path. Returns the type of its result.
  private mutating func path() throws(XPathSyntaxError) -> XPath.Result {
    switch token.kind {
    case .variable(let name):
      throw XPathSyntaxError("variables are not supported in an XPath: `$\(name)`", at: token.range)
    case .literal, .number, .function, .symbol("("):
      let start = token.range.lowerBound
      var result = try primary()
      while token.kind == .symbol("[") {
        guard result == .nodes else { throw notNodes(start, "a predicate in `[…]`") }
        try predicate()
      }
      if token.kind == .symbol("/") || token.kind == .symbol("//") {
        guard result == .nodes else { throw notNodes(start, "a path") }
        position += 1
        try relativePath()
        result = .nodes
      }
      return result
    case .symbol("/"):
      position += 1
      if startsStep { try relativePath() }
      return .nodes
    case .symbol("//"):
      position += 1
      try relativePath()
      return .nodes
    default:
      try relativePath()
      return .nodes
    }
  }

  private func notNodes(_ start: Int, _ what: String) -> XPathSyntaxError {
    XPathSyntaxError(
      "\(what) must follow nodes, but this expression does not select nodes", at: start..<tokens[position - 1].range.upperBound)
  }

  private mutating func primary() throws(XPathSyntaxError) -> XPath.Result {
    let first = token
    position += 1
    switch first.kind {
    case .literal: return .string
    case .number: return .number
    case .function(let name): return try call(name, at: first.range)
    default:
      let result = try expression()
      try require(")", for: first.range)
      return result
    }
  }

  private mutating func call(_ name: String, at range: Range<Int>) throws(XPathSyntaxError) -> XPath.Result {
    guard let function = XPathFunction.all[name] else {
      if let help = XPathFunction.laterVersions[name] {
        throw XPathSyntaxError("`\(name)` is not a function of XPath 1.0", at: range, help: help)
      }
      let near = Suggestion.nearest(to: name, in: XPathFunction.all.keys.sorted())
      throw XPathSyntaxError(
        "there is no function `\(name)`", at: range, help: near.map { "did you mean `\($0)`?" }, replacement: near)
    }
    let opening = token.range
    try require("(", for: range)
    var count = 0
    if !take(")") {
      repeat {
        let start = token.range.lowerBound
        let result = try expression()
        count += 1
        if function.takesNodes, result != .nodes {
          throw XPathSyntaxError("`\(name)` takes nodes", at: start..<tokens[position - 1].range.upperBound)
        }
      } while take(",")
      try require(")", for: opening)
    }
    guard count >= function.arguments.least, count <= function.arguments.most ?? .max else {
      throw XPathSyntaxError(
        "`\(name)` takes \(function.argumentWords), found \(count)", at: range.lowerBound..<tokens[position - 1].range.upperBound)
    }
    return function.result
  }

  // MARK: Location paths, section 2

  private var startsStep: Bool {
    switch token.kind {
    case .symbol("."), .symbol(".."), .symbol("@"), .axis, .nameTest, .nodeType: true
    default: false
    }
  }

  private mutating func relativePath() throws(XPathSyntaxError) {
    try step()
    while takeOperator(["/", "//"]) { try step() }
  }

  private mutating func step() throws(XPathSyntaxError) {
    if take(".") || take("..") {
      guard token.kind != .symbol("[") else {
        throw XPathSyntaxError(
          "`.` and `..` can't have a predicate", at: token.range, help: "write `self::node()[…]` or `parent::node()[…]`")
      }
      return
    }
    var isElement = true
    if take("@") {
      isElement = false
    } else if case .axis(let name) = token.kind {
      guard Self.axes.contains(name) else {
        let near = Suggestion.nearest(to: name, in: Self.axes.sorted())
        throw XPathSyntaxError("there is no axis `\(name)`", at: token.range, help: near.map { "did you mean `\($0)`?" })
      }
      position += 1
      guard take("::") else { throw unexpected("expected `::`") }
      isElement = name != "attribute"
    }
    switch token.kind {
    case .nameTest(let prefix, let name):
      position += 1
      if prefix != nil { usesPrefixes = true } else if isElement, name != "*" { namesPlainElements = true }
    case .nodeType(let name):
      position += 1
      let opening = token.range
      try require("(", for: opening)
      if name == "processing-instruction", case .literal = token.kind { position += 1 }
      try require(")", for: opening)
    case .function(let name):
      throw XPathSyntaxError(
        "`\(name)(…)` is not allowed in a path", at: token.range, help: "put the path into it: `\(name)(…)`, as XPath 1.0 has it")
    default: throw unexpected("expected an element, `@` with an attribute, or `.`", help: stepHelp)
    }
    while token.kind == .symbol("[") { try predicate() }
  }

  private var stepHelp: String? {
    guard position > 0 else { return nil }
    switch (tokens[position - 1].kind, token.kind) {
    case (.symbol("/"), .end), (.symbol("//"), .end): return "the path ends with `/`: name the nodes to find"
    case (.symbol("["), _): return "the brackets `[…]` need a position or a condition, such as `[1]` or `[@id='a']`"
    default: return nil
    }
  }

  private mutating func predicate() throws(XPathSyntaxError) {
    let opening = token.range
    position += 1
    _ = try expression()
    try require("]", for: opening)
  }
}

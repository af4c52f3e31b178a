import GarlandText

/// Parses XPath 1.0 (https://www.w3.org/TR/1999/REC-xpath-19991116/). Error messages are brief, since an XPath in a workflow document was
/// already checked when the document was decoded.
struct XPathReader {
  private enum Token: Equatable {
    case number(Double)
    case literal(String)
    case symbol(String)
    case name(prefix: String?, local: String)
    case end
  }

  private struct Mistake: Error {
    let detail: String
  }

  private let bytes: [UInt8]
  private var position = 0
  private var token = Token.end
  /// Whether the next token can be an operator, so that `*` and `and` are operators and not names
  /// (XPath 1.0, section 3.7).
  private var expectsOperator = false
  private var depth = 0

  /// The maximum nesting depth of expressions.
  private static let deepest = 100

  static func read(_ text: String) throws(XPathError) -> XPathExpression {
    var reader = XPathReader(bytes: Array(text.utf8))
    do throws(Mistake) {
      try reader.advance()
      let expression = try reader.expression()
      guard reader.token == .end else { throw Mistake(detail: "it continues where its end was expected") }
      return expression
    } catch {
      throw XPathError(text, error.detail)
    }
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  // MARK: Tokens

  private func byte(_ distance: Int = 0) -> UInt8? { position + distance < bytes.count ? bytes[position + distance] : nil }

  private mutating func skipSpace() {
    while let byte = byte(), byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
  }

  private mutating func advance() throws(Mistake) {
    skipSpace()
    token = try next()
    switch token {
    case .number, .literal, .name, .symbol(")"), .symbol("]"), .symbol("."), .symbol(".."): expectsOperator = true
    case .symbol, .end: expectsOperator = false
    }
  }

  private mutating func next() throws(Mistake) -> Token {
    guard let first = byte() else { return .end }
    let two = String(decoding: bytes[position..<min(position + 2, bytes.count)], as: UTF8.self)
    if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") { return try literal(first) }
    if first.isDigit || (first == UInt8(ascii: ".") && byte(1).map(\.isDigit) == true) { return number() }
    if ["//", "::", "!=", "<=", ">=", ".."].contains(two) {
      position += 2
      return .symbol(two)
    }
    if "()[]@,|+-=/<>.".utf8.contains(first) || (first == UInt8(ascii: "*") && expectsOperator) {
      position += 1
      return .symbol(String(UnicodeScalar(first)))
    }
    guard let name = name() else { throw Mistake(detail: "it has a character that is not allowed there") }
    if expectsOperator { return .symbol(name) }
    guard byte() == UInt8(ascii: ":"), byte(1) != UInt8(ascii: ":"), name != "*" else { return .name(prefix: nil, local: name) }
    position += 1
    guard let local = self.name() else { throw Mistake(detail: "a prefix has no name after it") }
    return .name(prefix: name, local: local)
  }

  private mutating func literal(_ quote: UInt8) throws(Mistake) -> Token {
    guard let end = bytes[(position + 1)...].firstIndex(of: quote) else { throw Mistake(detail: "a text has no end") }
    defer { position = end + 1 }
    return .literal(String(decoding: bytes[position + 1..<end], as: UTF8.self))
  }

  private mutating func number() -> Token {
    let start = position
    while let byte = byte(), byte.isDigit { position += 1 }
    if byte() == UInt8(ascii: "."), byte(1) != UInt8(ascii: ".") {
      position += 1
      while let byte = byte(), byte.isDigit { position += 1 }
    }
    return .number(XPathNumber.value(of: String(decoding: bytes[start..<position], as: UTF8.self)))
  }

  /// Reads a name without prefix, or `*`.
  private mutating func name() -> String? {
    let start = position
    if byte() == UInt8(ascii: "*") {
      position += 1
      return "*"
    }
    while let byte = byte(), Self.isNamed(byte, isFirst: position == start) { position += 1 }
    return position == start ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isNamed(_ byte: UInt8, isFirst: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...0xFF: true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): !isFirst
    default: false
    }
  }

  private mutating func take(_ symbol: String) throws(Mistake) -> Bool {
    guard token == .symbol(symbol) else { return false }
    try advance()
    return true
  }

  private mutating func require(_ symbol: String) throws(Mistake) {
    guard try take(symbol) else { throw Mistake(detail: "`\(symbol)` is missing") }
  }

  // MARK: Expressions, section 3

  private mutating func expression() throws(Mistake) -> XPathExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw Mistake(detail: "it is nested too deeply") }
    return try chain(0)
  }

  private mutating func chain(_ level: Int) throws(Mistake) -> XPathExpression {
    guard level < XPathExpression.Operator.levels.count else { return try unary() }
    let first = try chain(level + 1)
    var rest: [(symbol: XPathExpression.Operator, operand: XPathExpression)] = []
    while case .symbol(let text) = token, let symbol = XPathExpression.Operator(rawValue: text),
      XPathExpression.Operator.levels[level].contains(symbol)
    {
      try advance()
      rest.append((symbol, try chain(level + 1)))
    }
    return rest.isEmpty ? first : .chain(first, rest)
  }

  private mutating func unary() throws(Mistake) -> XPathExpression {
    var signs = 0
    while try take("-") { signs += 1 }
    let first = try path()
    var rest: [(symbol: XPathExpression.Operator, operand: XPathExpression)] = []
    while try take("|") { rest.append((.union, try path())) }
    let operand = rest.isEmpty ? first : .chain(first, rest)
    if signs == 0 { return operand }
    return signs % 2 == 1 ? .negated(operand) : .negated(.negated(operand))
  }

  private mutating func path() throws(Mistake) -> XPathExpression {
    if try take("//") { return .path(base: .root, [.anywhere] + (try steps())) }
    if token == .symbol("/") {
      try advance()
      return .path(base: .root, startsStep ? try steps() : [])
    }
    guard let primary = try primary() else { return .path(base: .context, try steps()) }
    let predicates = try predicates()
    var steps: [XPathExpression.Step] = []
    if try take("//") {
      steps = [.anywhere] + (try self.steps())
    } else if try take("/") {
      steps = try self.steps()
    }
    return predicates.isEmpty && steps.isEmpty ? primary : .path(base: .value(primary, predicates: predicates), steps)
  }

  /// Parses the primary expression (a number, a text, a function call or an expression in parentheses) with which a filter expression
  /// begins. Returns nil if a location step begins here.
  private mutating func primary() throws(Mistake) -> XPathExpression? {
    switch token {
    case .number(let number):
      try advance()
      return .number(number)
    case .literal(let text):
      try advance()
      return .literal(text)
    case .symbol("("):
      try advance()
      let inner = try expression()
      try require(")")
      return inner
    case .name(nil, let name) where isCall && !Self.nodeTypes.contains(name): return try call(name)
    case .name(_?, _) where isCall: throw Mistake(detail: "there is no function of this name")
    default: return nil
    }
  }

  /// Whether the current name is followed by `(`.
  private var isCall: Bool {
    var place = position
    while place < bytes.count, bytes[place] == 0x20 || (0x09...0x0D).contains(bytes[place]) { place += 1 }
    return place < bytes.count && bytes[place] == UInt8(ascii: "(")
  }

  private static let nodeTypes = ["node", "text", "comment", "processing-instruction"]

  private mutating func call(_ name: String) throws(Mistake) -> XPathExpression {
    guard let function = XPathExpression.Function(rawValue: name) else { throw Mistake(detail: "there is no function `\(name)`") }
    try advance()
    try require("(")
    var arguments: [XPathExpression] = []
    if try !take(")") {
      repeat { arguments.append(try expression()) } while try take(",")
      try require(")")
    }
    guard function.arguments.contains(arguments.count) else { throw Mistake(detail: "`\(name)` has too many or too few arguments") }
    return .call(function, arguments)
  }

  // MARK: Location paths, section 2

  private var startsStep: Bool {
    switch token {
    case .symbol("."), .symbol(".."), .symbol("@"), .name: true
    default: false
    }
  }

  private mutating func steps() throws(Mistake) -> [XPathExpression.Step] {
    var steps = [try step()]
    while true {
      if try take("//") {
        steps.append(.anywhere)
      } else if try !take("/") {
        return steps
      }
      steps.append(try step())
    }
  }

  private mutating func step() throws(Mistake) -> XPathExpression.Step {
    if try take(".") { return XPathExpression.Step(axis: .own, test: .node) }
    if try take("..") { return XPathExpression.Step(axis: .parent, test: .node) }
    var axis = XPathExpression.Axis.child
    if try take("@") {
      axis = .attribute
    } else if case .name(nil, let name) = token, isAxis {
      guard let named = XPathExpression.Axis(rawValue: name) else { throw Mistake(detail: "there is no axis `\(name)`") }
      try advance()
      try require("::")
      axis = named
    }
    guard case .name(let prefix, let local) = token else { throw Mistake(detail: "a step is missing") }
    let isType = prefix == nil && isCall
    try advance()
    let test = isType ? try nodeType(local) : Self.test(prefix, local)
    return XPathExpression.Step(axis: axis, test: test, predicates: try predicates())
  }

  /// Whether the current name is followed by `::`.
  private var isAxis: Bool {
    var place = position
    while place < bytes.count, bytes[place] == 0x20 || (0x09...0x0D).contains(bytes[place]) { place += 1 }
    return bytes[place...].starts(with: "::".utf8)
  }

  private static func test(_ prefix: String?, _ local: String) -> XPathExpression.Test {
    let name = local == "*" ? nil : local
    return prefix.map { .prefixed($0, name) } ?? .name(name)
  }

  private mutating func nodeType(_ name: String) throws(Mistake) -> XPathExpression.Test {
    try require("(")
    var target: String?
    if name == "processing-instruction", case .literal(let text) = token {
      target = text
      try advance()
    }
    try require(")")
    switch name {
    case "node": return .node
    case "text": return .text
    case "comment": return .comment
    case "processing-instruction": return .instruction(target)
    default: throw Mistake(detail: "`\(name)(…)` is not allowed in a path")
    }
  }

  private mutating func predicates() throws(Mistake) -> [XPathExpression] {
    var predicates: [XPathExpression] = []
    while try take("[") {
      predicates.append(try expression())
      try require("]")
    }
    return predicates
  }
}

/// Conversion and comparison of values (XPath 1.0, sections 3.4 and 4).
extension XPathEvaluation {
  /// Returns the text of a node, including the text of all nodes inside.
  mutating func text(of node: Int32) throws(Stop) -> String {
    let entry = index.entries[Int(node)]
    var bytes: [UInt8] = []
    switch entry.kind {
    case .element, .other:
      for place in node + 1..<entry.end where index.entries[Int(place)].kind == .text {
        try append(index.entries[Int(place)].address, to: &bytes)
      }
    case .text, .comment, .processingInstruction: try append(entry.address, to: &bytes)
    default:
      let text = LibXML2.Pointer(bitPattern: entry.address).map { library.take(library.content($0)) } ?? ""
      try charge(1 + text.utf8.count / 16)
      return text
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func append(_ address: UInt, to bytes: inout [UInt8]) throws(Stop) {
    guard let content = LibXML2.Pointer(bitPattern: address).flatMap(LibXML2.Node.content) else { return }
    try charge(1 + content.count / 16)
    guard bytes.count + content.count <= Self.longestText else { throw .tooMuchText }
    bytes.append(contentsOf: content)
  }

  mutating func string(of value: XPathValue) throws(Stop) -> String {
    switch value {
    case .nodes(let nodes): return try nodes.first.map { node throws(Stop) in try text(of: node) } ?? ""
    case .boolean(let value): return value ? "true" : "false"
    case .number(let number): return XPathNumber.text(number)
    case .string(let text): return text
    }
  }

  mutating func number(of value: XPathValue) throws(Stop) -> Double {
    switch value {
    case .number(let number): number
    case .boolean(let value): value ? 1 : 0
    case .string, .nodes: XPathNumber.value(of: try string(of: value))
    }
  }

  func boolean(of value: XPathValue) throws(Stop) -> Bool {
    switch value {
    case .nodes(let nodes): !nodes.isEmpty
    case .boolean(let value): value
    case .number(let number): number != 0 && !number.isNaN
    case .string(let text): !text.isEmpty
    }
  }

  // MARK: Comparisons

  mutating func compare(_ left: XPathValue, _ symbol: XPathExpression.Operator, _ right: XPathValue) throws(Stop) -> Bool {
    switch (left, right) {
    case (.boolean, _) where symbol.isEquality, (_, .boolean) where symbol.isEquality:
      return try (boolean(of: left) == boolean(of: right)) == (symbol == .equal)
    case (.nodes(let first), .nodes(let second)):
      return try symbol.isEquality ? areEqual(first, symbol, second) : isOrdered(first, symbol, second)
    case (.nodes(let nodes), _): return try some(of: nodes, symbol, right)
    case (_, .nodes(let nodes)): return try some(of: nodes, symbol.mirrored, left)
    case (.string(let left), .string(let right)) where symbol.isEquality:
      try charge(min(left.utf8.count, right.utf8.count) / 16)
      return Self.areSame(left, right) == (symbol == .equal)
    default: return try symbol.holds(number(of: left), number(of: right))
    }
  }

  /// Whether the comparison with a value holds for at least one of the nodes.
  private mutating func some(of nodes: [Int32], _ symbol: XPathExpression.Operator, _ value: XPathValue) throws(Stop) -> Bool {
    if case .boolean = value { return try symbol.holds(nodes.isEmpty ? 0 : 1, number(of: value)) }
    let wanted: String? = if symbol.isEquality, case .string(let text) = value { text } else { nil }
    let limit = try wanted == nil ? number(of: value) : 0
    for node in nodes {
      let text = try text(of: node)
      let holds = wanted.map { Self.areSame(text, $0) == (symbol == .equal) } ?? symbol.holds(XPathNumber.value(of: text), limit)
      if holds { return true }
    }
    return false
  }

  /// Returns whether the XPath comparison of two sets of nodes is true. `=` is true if the two sets contain nodes with equal texts, one in
  /// each set; `!=` is true if they contain nodes with different texts, one in each set.
  private mutating func areEqual(_ left: [Int32], _ symbol: XPathExpression.Operator, _ right: [Int32]) throws(Stop) -> Bool {
    guard !left.isEmpty, !right.isEmpty else { return false }
    var known: Set<[UInt8]> = []
    for node in left { known.insert(Array(try text(of: node).utf8)) }
    for node in right {
      let text = Array(try text(of: node).utf8)
      if symbol == .equal ? known.contains(text) : known.count > 1 || !known.contains(text) { return true }
    }
    return false
  }

  /// Whether the comparison is true for at least one pair of a number in the left set and a number in the right set. Only the most
  /// favourable pair is compared: for `<`, the smallest number on the left and the largest number on the right.
  private mutating func isOrdered(_ left: [Int32], _ symbol: XPathExpression.Operator, _ right: [Int32]) throws(Stop) -> Bool {
    let seeksLess = symbol == .less || symbol == .lessOrEqual
    guard let first = try outermost(of: left, least: seeksLess), let second = try outermost(of: right, least: !seeksLess) else {
      return false
    }
    return symbol.holds(first, second)
  }

  private mutating func outermost(of nodes: [Int32], least: Bool) throws(Stop) -> Double? {
    var result: Double?
    for node in nodes {
      let number = XPathNumber.value(of: try text(of: node))
      if number.isNaN { continue }
      result = result.map { least ? min($0, number) : max($0, number) } ?? number
    }
    return result
  }

  /// Whether two texts have the same characters, without Unicode equivalence.
  static func areSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
}

extension XPathExpression.Operator {
  fileprivate var isEquality: Bool { self == .equal || self == .unequal }

  /// The operator that gives the same result if the operands are exchanged, such as `>` for `<`.
  fileprivate var mirrored: Self {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: self
    }
  }

  fileprivate func holds(_ left: Double, _ right: Double) -> Bool {
    switch self {
    case .equal: left == right
    case .unequal: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    default: left >= right
    }
  }
}

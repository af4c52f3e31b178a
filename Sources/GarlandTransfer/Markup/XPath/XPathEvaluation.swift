import GarlandJSON

/// Evaluates XPath expressions on one document.
struct XPathEvaluation {
  /// The reason why an evaluation stops early.
  enum Stop: Error {
    case outOfTime
    case tooManySteps(Int)
    case tooMuchText
    case wrong(String)
  }

  /// The context in which an expression is evaluated: the node, its position and the number of nodes (XPath 1.0, section 1).
  struct Context {
    var node: Int32
    var position = 1
    var size = 1
  }

  /// The maximum length in bytes of a text that an expression creates.
  static let longestText = 64 << 20

  let index: MarkupIndex
  let library: LibXML2
  /// Whether the document is HTML: element names are then case-insensitive, and `id` is an identifier.
  let isHTML: Bool
  private let namespaces: [String: String]
  private let computation = Computation.current
  private let stepLimit: Int
  private var stepsLeft: Int

  init(index: MarkupIndex, library: LibXML2, isHTML: Bool, namespaces: [String: String], stepLimit: Int) {
    self.index = index
    self.library = library
    self.isHTML = isHTML
    self.namespaces = namespaces
    self.stepLimit = stepLimit
    stepsLeft = stepLimit
  }

  /// Counts an amount of work; visiting a node is an amount of 1. Throws if the total exceeds its limit, or if the time limit is reached.
  mutating func charge(_ work: Int) throws(Stop) {
    stepsLeft &-= work
    if stepsLeft < 0 { throw .tooManySteps(stepLimit) }
    if let computation, computation.isOver(after: work) { throw .outOfTime }
  }

  // MARK: Expressions

  mutating func value(of expression: XPathExpression, _ context: Context) throws(Stop) -> XPathValue {
    switch expression {
    case .number(let number): return .number(number)
    case .literal(let text): return .string(text)
    case .negated(let operand): return .number(-(try number(of: value(of: operand, context))))
    case .chain(let first, let rest): return try chain(first, rest, context)
    case .call(let function, let arguments): return try call(function, arguments, context)
    case .path(let base, let steps): return .nodes(try nodes(from: base, steps, context))
    }
  }

  private mutating func chain(
    _ first: XPathExpression, _ rest: [(symbol: XPathExpression.Operator, operand: XPathExpression)], _ context: Context
  ) throws(Stop) -> XPathValue {
    var result = try value(of: first, context)
    for (symbol, operand) in rest {
      switch symbol {
      case .or:
        if try boolean(of: result) { return .boolean(true) }
        result = .boolean(try boolean(of: value(of: operand, context)))
      case .and:
        guard try boolean(of: result) else { return .boolean(false) }
        result = .boolean(try boolean(of: value(of: operand, context)))
      case .union: result = .nodes(try union(nodes(result), nodes(value(of: operand, context))))
      case .equal, .unequal, .less, .lessOrEqual, .greater, .greaterOrEqual:
        result = .boolean(try compare(result, symbol, value(of: operand, context)))
      case .plus, .minus, .times, .div, .mod:
        let (left, right) = (try number(of: result), try number(of: value(of: operand, context)))
        result = .number(Self.calculate(left, symbol, right))
      }
    }
    return result
  }

  private static func calculate(_ left: Double, _ symbol: XPathExpression.Operator, _ right: Double) -> Double {
    switch symbol {
    case .plus: left + right
    case .minus: left - right
    case .times: left * right
    case .div: left / right
    default: left.truncatingRemainder(dividingBy: right)
    }
  }

  func nodes(_ value: XPathValue) throws(Stop) -> [Int32] {
    guard case .nodes(let nodes) = value else { throw .wrong("a part of it needs nodes, but does not select nodes") }
    return nodes
  }

  /// Merges two lists of nodes in document order into one list without duplicates.
  private mutating func union(_ left: [Int32], _ right: [Int32]) throws(Stop) -> [Int32] {
    try charge(left.count + right.count)
    var result: [Int32] = []
    result.reserveCapacity(left.count + right.count)
    var (i, j) = (0, 0)
    while i < left.count, j < right.count {
      let (first, second) = (left[i], right[j])
      result.append(min(first, second))
      if first <= second { i += 1 }
      if second <= first { j += 1 }
    }
    return result + left[i...] + right[j...]
  }

  // MARK: Location paths

  private mutating func nodes(
    from base: XPathExpression.Base, _ steps: [XPathExpression.Step], _ context: Context
  ) throws(Stop) -> [Int32] {
    var found: [Int32]
    switch base {
    case .context: found = [context.node]
    case .root: found = [0]
    case .value(let expression, let predicates):
      found = try nodes(value(of: expression, context))
      for predicate in predicates { found = try choose(found, by: predicate) }
    }
    for step in steps where !found.isEmpty { found = try take(step, from: found) }
    return found
  }

  private mutating func take(_ step: XPathExpression.Step, from contexts: [Int32]) throws(Stop) -> [Int32] {
    let test = try test(step.test, isAttribute: step.axis == .attribute)
    guard contexts.count > 1 else { return try nodes(step, test, contexts[0]) }
    var result = NodeCollector(count: index.entries.count)
    for context in step.isPositional ? contexts : XPathAxes(index: index).sufficient(contexts, for: step.axis) {
      try charge(1)
      result.add(try nodes(step, test, context))
    }
    return result.sorted
  }

  /// Returns the nodes that one step of the XPath selects from one context node, in document order.
  private mutating func nodes(_ step: XPathExpression.Step, _ test: NodeTest, _ context: Int32) throws(Stop) -> [Int32] {
    var found: [Int32] = []
    var walk = XPathAxes(index: index).walk(step.axis, from: context)
    while let node = walk.next() {
      try charge(1)
      if test.holds(index.entries[Int(node)]) { found.append(node) }
    }
    for predicate in step.predicates { found = try choose(found, by: predicate) }
    return step.axis.isReverse ? found.reversed() : found
  }

  /// Returns the nodes for which a predicate is true (XPath 1.0, section 2.4).
  private mutating func choose(_ nodes: [Int32], by predicate: XPathExpression) throws(Stop) -> [Int32] {
    if case .number(let wanted) = predicate {
      guard let place = Int(exactly: wanted), nodes.indices.contains(place - 1) else { return [] }
      return [nodes[place - 1]]
    }
    var chosen: [Int32] = []
    for (position, node) in nodes.enumerated() {
      try charge(1)
      let value = try value(of: predicate, Context(node: node, position: position + 1, size: nodes.count))
      let holds = if case .number(let wanted) = value { wanted == Double(position + 1) } else { try boolean(of: value) }
      if holds { chosen.append(node) }
    }
    return chosen
  }

  // MARK: Node tests

  /// A node test in which each name and namespace is replaced by the number that represents it in the ``MarkupIndex``.
  struct NodeTest {
    var kind: MarkupNode.Kind?
    var name: Int32?
    var namespace: Int32?

    func holds(_ entry: MarkupIndex.Entry) -> Bool {
      if let name, entry.name != name { return false }
      if let namespace, entry.namespace != namespace { return false }
      return kind.map { $0 == entry.kind } ?? true
    }
  }

  private func test(_ test: XPathExpression.Test, isAttribute: Bool) throws(Stop) -> NodeTest {
    // A number that no node has.
    let none = Int32(-1)
    let kind: MarkupNode.Kind = isAttribute ? .attribute : .element
    switch test {
    case .node: return NodeTest()
    case .text: return NodeTest(kind: .text)
    case .comment: return NodeTest(kind: .comment)
    case .instruction(let target):
      return NodeTest(kind: .processingInstruction, name: target.map { index.number(ofName: $0) ?? none })
    case .name(nil): return NodeTest(kind: kind)
    case .name(let name?): return NodeTest(kind: kind, name: index.number(ofName: name) ?? none, namespace: 0)
    case .prefixed(let prefix, let name):
      let known = prefix == "xml" ? "http://www.w3.org/XML/1998/namespace" : namespaces[prefix]
      guard let uri = known else { throw .wrong("the prefix `\(prefix)` is unknown") }
      return NodeTest(
        kind: kind, name: name.map { index.number(ofName: $0) ?? none }, namespace: index.number(ofNamespace: uri) ?? none)
    }
  }
}

/// Collects nodes without duplicates. They may be added in any order and several times.
private struct NodeCollector {
  private var list: [Int32] = []
  /// The collected nodes as a bit set, with one bit for each node of the document. The bit set is used as soon as ``list`` would have more
  /// than 4,096 elements. Until then, it is empty, and ``list`` contains the nodes.
  private var bits: [UInt64] = []
  private let count: Int

  init(count: Int) { self.count = count }

  mutating func add(_ nodes: [Int32]) {
    if bits.isEmpty, list.count + nodes.count > 4096 {
      bits = Array(repeating: 0, count: (count + 63) / 64)
      mark(list)
      list = []
    }
    if bits.isEmpty { list += nodes } else { mark(nodes) }
  }

  private mutating func mark(_ nodes: [Int32]) {
    for node in nodes { bits[Int(node) >> 6] |= 1 << UInt64(node & 63) }
  }

  /// The distinct nodes in document order.
  var sorted: [Int32] {
    var result: [Int32] = []
    guard !bits.isEmpty else {
      for node in list.sorted() where node != result.last { result.append(node) }
      return result
    }
    for (place, word) in bits.enumerated() where word != 0 {
      var word = word
      while word != 0 {
        result.append(Int32(place * 64 + word.trailingZeroBitCount))
        word &= word - 1
      }
    }
    return result
  }
}

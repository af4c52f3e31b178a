/// A single evaluation of a path on one document.
///
/// The evaluation keeps a stack of containers instead of recursing. Only nested filters recurse, and the parser limits their depth.
struct JSONPathEvaluation {
  /// A selected value and its location. The location is an index into `places`; 0 is the location of the root.
  struct Node {
    let value: JSONValue
    let place: Int
  }

  /// The location of a node: the last element of its path, and the index of the parent's location in ``places``. So adding an element does
  /// not copy the whole path.
  private struct Place {
    let parent: Int
    let element: JSONPathElement
  }

  private let root: JSONValue
  private let stepLimit: Int
  private var stepsLeft: Int
  private let tracksLocations: Bool
  private let computation = Computation.current
  private var places: [Place] = [Place(parent: -1, element: .index(0))]
  /// The compiled patterns whose text comes from the searched document. (Patterns that are constants in the query are compiled with the
  /// query.) The value is nil for a text that is not a valid I-Regexp.
  private var patterns: [PatternKey: RegularExpression?] = [:]

  private struct PatternKey: Hashable {
    let text: ScalarString
    let matchesWholeText: Bool
  }

  init(root: JSONValue, stepLimit: Int, tracksLocations: Bool) {
    self.root = root
    self.stepLimit = stepLimit
    stepsLeft = stepLimit
    self.tracksLocations = tracksLocations
  }

  mutating func nodes(of query: JSONPathQuery) throws(JSONPathEvaluationError) -> [Node] {
    try select(query.segments, from: root, tracks: tracksLocations)
  }

  func path(of node: Node) -> NormalizedPath {
    var elements: [JSONPathElement] = []
    var place = node.place
    while place > 0 {
      elements.append(places[place].element)
      place = places[place].parent
    }
    return NormalizedPath(elements.reversed())
  }

  private mutating func select(
    _ segments: [JSONPathSegment], from start: JSONValue, tracks: Bool
  ) throws(JSONPathEvaluationError) -> [Node] {
    var nodes = [Node(value: start, place: 0)]
    for segment in segments {
      var selected: [Node] = []
      for node in nodes {
        if segment.isDescendant {
          try selectFromDescendants(segment.selectors, of: node, into: &selected, tracks: tracks)
        } else {
          for selector in segment.selectors {
            try apply(selector, to: node, into: &selected, tracks: tracks)
          }
        }
      }
      nodes = selected
      if nodes.isEmpty { break }
    }
    return nodes
  }

  /// Applies the selectors first to the node itself and then to its descendants, in document order ([RFC 9535
  /// §2.5.2.2](https://www.rfc-editor.org/rfc/rfc9535#section-2.5.2.2)).
  private mutating func selectFromDescendants(
    _ selectors: [JSONPathSelector], of node: Node, into selected: inout [Node], tracks: Bool
  ) throws(JSONPathEvaluationError) {
    var pending = [node]
    while let next = pending.popLast() {
      for selector in selectors {
        try apply(selector, to: next, into: &selected, tracks: tracks)
      }
      let firstChild = pending.count
      try appendChildren(of: next, to: &pending, tracks: tracks)
      pending[firstChild...].reverse()
    }
  }

  private mutating func apply(
    _ selector: JSONPathSelector, to node: Node, into selected: inout [Node], tracks: Bool
  ) throws(JSONPathEvaluationError) {
    switch selector {
    case .name(let name):
      try step()
      guard let value = node.value[name] else { return }
      selected.append(Node(value: value, place: place(.name(name), in: node, tracks: tracks)))
    case .index(let index):
      try step()
      guard case .array(let elements) = node.value else { return }
      let position = index < 0 ? elements.count + index : index
      guard elements.indices.contains(position) else { return }
      selected.append(Node(value: elements[position], place: place(.index(position), in: node, tracks: tracks)))
    case .wildcard:
      try appendChildren(of: node, to: &selected, tracks: tracks)
    case .slice(let start, let end, let stride):
      guard case .array(let elements) = node.value else { return }
      for position in JSONPathEvaluation.positions(start: start, end: end, step: stride, count: elements.count) {
        try step()
        selected.append(Node(value: elements[position], place: place(.index(position), in: node, tracks: tracks)))
      }
    case .filter(let filter):
      try appendChildren(of: node, to: &selected, tracks: tracks, where: filter)
    }
  }

  private mutating func appendChildren(
    of node: Node, to nodes: inout [Node], tracks: Bool, where filter: JSONPathFilter? = nil
  ) throws(JSONPathEvaluationError) {
    switch node.value {
    case .array(let elements):
      for (position, element) in elements.enumerated() {
        try step()
        if let filter, try !holds(filter, for: element) { continue }
        nodes.append(Node(value: element, place: place(.index(position), in: node, tracks: tracks)))
      }
    case .object(let object):
      for member in object.members {
        try step()
        if let filter, try !holds(filter, for: member.value) { continue }
        nodes.append(Node(value: member.value, place: place(.name(member.key), in: node, tracks: tracks)))
      }
    default: break
    }
  }

  private mutating func step() throws(JSONPathEvaluationError) {
    stepsLeft -= 1
    guard stepsLeft >= 0 else { throw .tooManySteps(limit: stepLimit) }
    try charge(1)
  }

  /// Counts `work` units of work towards the time limit; visiting one value is one unit. Throws if the computation has reached its time
  /// limit.
  private func charge(_ work: Int) throws(JSONPathEvaluationError) {
    if let computation, computation.isOver(after: work) { throw .outOfTime }
  }

  private mutating func place(_ element: JSONPathElement, in node: Node, tracks: Bool) -> Int {
    guard tracks else { return 0 }
    places.append(Place(parent: node.place, element: element))
    return places.count - 1
  }

  /// Returns the indexes that a slice selects ([RFC 9535
  /// §2.3.4.2.2](https://www.rfc-editor.org/rfc/rfc9535#section-2.3.4.2.2)).
  private static func positions(start: Int?, end: Int?, step: Int, count: Int) -> StrideTo<Int> {
    func normalized(_ index: Int) -> Int { index >= 0 ? index : count + index }
    if step > 0 {
      let lower = min(max(normalized(start ?? 0), 0), count)
      let upper = min(max(normalized(end ?? count), 0), count)
      return stride(from: lower, to: upper, by: step)
    }
    if step < 0 {
      let upper = min(max(normalized(start ?? count - 1), -1), count - 1)
      let lower = min(max(end.map(normalized) ?? -1, -1), count - 1)
      return stride(from: upper, to: lower, by: step)
    }
    return stride(from: 0, to: 0, by: 1)
  }

  // MARK: Filters

  private mutating func holds(_ filter: JSONPathFilter, for current: JSONValue) throws(JSONPathEvaluationError) -> Bool {
    switch filter {
    case .any(let filters):
      for filter in filters where try holds(filter, for: current) { return true }
      return false
    case .all(let filters):
      for filter in filters where try !holds(filter, for: current) { return false }
      return true
    case .not(let filter):
      return try !holds(filter, for: current)
    case .exists(let query):
      if let elements = query.singularElements {
        try step()
        return (query.isAbsolute ? root : current).value(at: elements) != nil
      }
      return try !select(query.segments, from: query.isAbsolute ? root : current, tracks: false).isEmpty
    case .comparison(let left, let comparison, let right):
      let (left, right) = (try value(of: left, for: current), try value(of: right, for: current))
      try charge(min(left.size, right.size))
      return JSONPathEvaluation.compare(left, comparison, right)
    case .matches(let test):
      return try matches(test, for: current)
    }
  }

  /// Returns the value of an operand; nil if the operand has no value, which the standard calls Nothing.
  private mutating func value(of operand: JSONPathOperand, for current: JSONValue) throws(JSONPathEvaluationError) -> JSONValue? {
    switch operand {
    case .literal(let value): return value
    case .query(let query):
      try step()
      guard let elements = query.singularElements else { return nil }
      return (query.isAbsolute ? root : current).value(at: elements)
    case .length(let argument):
      switch try value(of: argument, for: current) {
      case .string(let text):
        try charge(text.utf8.count / 16)
        return JSONValue(text.unicodeScalars.count)
      case .array(let elements): return JSONValue(elements.count)
      case .object(let object): return JSONValue(object.count)
      default: return nil
      }
    case .count(let query):
      return JSONValue(try select(query.segments, from: query.isAbsolute ? root : current, tracks: false).count)
    case .value(let query):
      let nodes = try select(query.segments, from: query.isAbsolute ? root : current, tracks: false)
      return nodes.count == 1 ? nodes[0].value : nil
    }
  }

  /// Returns whether a comparison is true, by the rules of [RFC 9535 §2.3.5.2.2](https://www.rfc-editor.org/rfc/rfc9535#section-2.3.5.2.2).
  /// An operand is nil if it has no value.
  private static func compare(_ left: JSONValue?, _ comparison: JSONPathComparison, _ right: JSONValue?) -> Bool {
    switch comparison {
    case .equal: left == right
    case .notEqual: left != right
    case .less: isLess(left, right)
    case .lessOrEqual: isLess(left, right) || left == right
    case .greater: isLess(right, left)
    case .greaterOrEqual: isLess(right, left) || left == right
    }
  }

  private static func isLess(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left < right
    case (.string(let left), .string(let right)): left.precedesByScalars(right)
    default: false
    }
  }

  private mutating func matches(_ test: JSONPathPatternTest, for current: JSONValue) throws(JSONPathEvaluationError) -> Bool {
    guard case .string(let text) = try value(of: test.text, for: current) else { return false }
    let expression: RegularExpression
    if let compiled = test.compiled {
      expression = compiled
    } else {
      guard case .string(let pattern) = try value(of: test.pattern, for: current),
        let compiled = self.pattern(pattern, matchesWholeText: test.matchesWholeText)
      else { return false }
      expression = compiled
    }
    do {
      return try expression.matches(text)
    } catch {
      if case .outOfTime = error { throw .outOfTime }
      throw .pattern(error)
    }
  }

  private mutating func pattern(_ text: String, matchesWholeText: Bool) -> RegularExpression? {
    let key = PatternKey(text: ScalarString(text), matchesWholeText: matchesWholeText)
    if let known = patterns[key] { return known }
    // RFC 9535 §2.4.6: an invalid I-Regexp matches nothing.
    let compiled = try? RegularExpression(iRegexp: text, matchesWholeText: matchesWholeText)
    // The cache is limited, so that a document full of patterns cannot fill the memory.
    if patterns.count >= 1000 { patterns.removeAll() }
    patterns[key] = .some(compiled)
    return compiled
  }
}

extension JSONValue? {
  /// The approximate amount of work to compare the value with another value. The comparison of a container may visit all elements of the
  /// container.
  fileprivate var size: Int {
    switch self {
    case .string(let text)?: text.utf8.count / 16
    // The elements may be large, so the clock is read: this costs little compared with comparing them.
    case .array(let items)?: items.isEmpty ? 0 : 4096
    case .object(let object)?: object.isEmpty ? 0 : 4096
    default: 0
    }
  }
}

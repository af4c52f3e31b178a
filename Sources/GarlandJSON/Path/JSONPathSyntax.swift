/// A parsed query: its start and its segments.
struct JSONPathQuery: Sendable {
  /// Whether the query starts at the root (`$`) and not at the current value of a filter (`@`).
  let isAbsolute: Bool
  let segments: [JSONPathSegment]

  /// The names and indexes of a query that can select at most one node ([RFC 9535
  /// §2.3.5.1](https://www.rfc-editor.org/rfc/rfc9535#section-2.3.5.1)); nil for any other.
  let singularElements: [JSONPathElement]?

  init(isAbsolute: Bool, segments: [JSONPathSegment]) {
    self.isAbsolute = isAbsolute
    self.segments = segments
    var elements: [JSONPathElement]? = []
    for segment in segments {
      guard !segment.isDescendant, segment.selectors.count == 1 else {
        elements = nil
        break
      }
      switch segment.selectors[0] {
      case .name(let name): elements?.append(.name(name))
      case .index(let index): elements?.append(.index(index))
      case .wildcard, .slice, .filter: elements = nil
      }
      if elements == nil { break }
    }
    singularElements = elements
  }
}

/// One step of a query: to children, or to all descendants.
struct JSONPathSegment: Sendable {
  let isDescendant: Bool
  let selectors: [JSONPathSelector]
}

/// The children that a segment selects.
enum JSONPathSelector: Sendable {
  case name(String)
  case wildcard
  case index(Int)
  case slice(start: Int?, end: Int?, step: Int)
  case filter(JSONPathFilter)
}

/// A condition on a child.
indirect enum JSONPathFilter: Sendable {
  case any([JSONPathFilter])
  case all([JSONPathFilter])
  case not(JSONPathFilter)
  case exists(JSONPathQuery)
  case comparison(JSONPathOperand, JSONPathComparison, JSONPathOperand)
  case matches(JSONPathPatternTest)
}

/// The operator of a comparison.
enum JSONPathComparison: String, Sendable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
}

/// An operand of a comparison, which gives a value or nothing.
indirect enum JSONPathOperand: Sendable {
  case literal(JSONValue)
  /// A singular query.
  case query(JSONPathQuery)
  case length(JSONPathOperand)
  case count(JSONPathQuery)
  case value(JSONPathQuery)
}

/// A call of `match` or `search`.
struct JSONPathPatternTest: Sendable {
  let text: JSONPathOperand
  let pattern: JSONPathOperand
  /// The compiled pattern if it is written in the path; nil otherwise.
  let compiled: RegularExpression?
  let matchesWholeText: Bool
}

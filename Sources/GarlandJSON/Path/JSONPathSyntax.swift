/// A parsed query: the root (`$`) or the current value (`@`) as its start, and its segments.
struct JSONPathQuery: Sendable {
  /// Whether the query starts at the root (`$`); if false, it starts at the current value of a filter (`@`).
  let isAbsolute: Bool
  let segments: [JSONPathSegment]

  /// The names and indexes of a query that can select at most one node ([RFC 9535
  /// §2.3.5.1](https://www.rfc-editor.org/rfc/rfc9535#section-2.3.5.1)); nil for any other query.
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

/// A segment of a query, which selects children or descendants.
struct JSONPathSegment: Sendable {
  let isDescendant: Bool
  let selectors: [JSONPathSelector]
}

/// A selector within a segment, such as a name, an index or `*`, which selects children.
enum JSONPathSelector: Sendable {
  case name(String)
  case wildcard
  case index(Int)
  case slice(start: Int?, end: Int?, step: Int)
  case filter(JSONPathFilter)
}

/// The condition of a filter selector (`?…`) that a child must fulfil to be selected.
indirect enum JSONPathFilter: Sendable {
  case any([JSONPathFilter])
  case all([JSONPathFilter])
  case not(JSONPathFilter)
  case exists(JSONPathQuery)
  case comparison(JSONPathOperand, JSONPathComparison, JSONPathOperand)
  case matches(JSONPathPatternTest)
}

/// The operator of a comparison in a filter.
enum JSONPathComparison: String, Sendable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
}

/// An operand of a comparison in a filter, such as `@.price` or `10`. An operand has no value if, for example, its query selects no node.
indirect enum JSONPathOperand: Sendable {
  case literal(JSONValue)
  /// A query that selects at most one node.
  case query(JSONPathQuery)
  case length(JSONPathOperand)
  case count(JSONPathQuery)
  case value(JSONPathQuery)
}

/// A condition in a filter that is true if a value matches a regular expression: a call of `match` or `search`.
struct JSONPathPatternTest: Sendable {
  let text: JSONPathOperand
  let pattern: JSONPathOperand
  /// The compiled pattern if it is a literal in the path; otherwise nil.
  let compiled: RegularExpression?
  let matchesWholeText: Bool
}

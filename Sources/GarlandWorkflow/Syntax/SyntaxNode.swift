import GarlandJSON

/// An expression as written: names are not resolved yet.
final class SyntaxNode {
  indirect enum Kind {
    case literal(JSONValue)
    case name(String)
    /// The value before the first filter, for filters without one.
    case subject
    case list([SyntaxNode])
    case member(SyntaxNode, name: String, nameRange: Range<Int>)
    case element(SyntaxNode, index: SyntaxNode)
    case unary(UnaryOperator, SyntaxNode)
    case binary(BinaryOperator, SyntaxNode, SyntaxNode)
    case call(name: String, nameRange: Range<Int>, arguments: [SyntaxNode])
    case filter(SyntaxNode, name: String, nameRange: Range<Int>, arguments: [SyntaxNode])
  }

  let kind: Kind
  /// UTF-8 offsets in the scalar's text; parentheses around it are not part of it.
  let range: Range<Int>
  /// The depth of its tree.
  let depth: Int
  /// The same with the parentheses around it.
  var outerRange: Range<Int>
  /// Whether it has parentheses of its own.
  var isParenthesised: Bool { outerRange != range }

  init(_ kind: Kind, _ range: Range<Int>, depth: Int) {
    self.kind = kind
    self.range = range
    outerRange = range
    self.depth = depth
  }
}

enum UnaryOperator: String, CaseIterable {
  case not = "!"
  case negate = "-"
}

/// In C's order of precedence; `??` binds least.
package enum BinaryOperator: String, Sendable, CaseIterable {
  case coalesce = "??"
  case or = "||"
  case and = "&&"
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"

  var precedence: Int {
    switch self {
    case .coalesce: 1
    case .or: 2
    case .and: 3
    case .equal, .notEqual: 4
    case .less, .lessOrEqual, .greater, .greaterOrEqual: 5
    case .add, .subtract: 7
    case .multiply, .divide: 8
    }
  }

  /// A filter's `|` binds tighter than a comparison and looser than arithmetic, as in Python and Rust.
  static let filterPrecedence = 6
}

import GarlandJSON

/// A parsed expression whose names are not resolved yet.
final class SyntaxNode {
  indirect enum Kind {
    case literal(JSONValue)
    case name(String)
    /// The input of filters that are written without a value before them.
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
  /// The UTF-8 offsets of the expression in the scalar's text, without the parentheses around it.
  let range: Range<Int>
  /// The depth of the node's tree.
  let depth: Int
  /// The range of the expression, including the parentheses around it.
  var outerRange: Range<Int>
  /// Whether the expression is in parentheses.
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

/// The binary operators, with the precedence that they have in C; `??` has the lowest precedence.
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

  /// The precedence of a filter's `|`: higher than a comparison and lower than arithmetic, as in Python and Rust.
  static let filterPrecedence = 6
}

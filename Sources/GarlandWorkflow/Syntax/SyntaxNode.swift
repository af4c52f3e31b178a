import GarlandJSON

/// A node of the syntax tree of an expression, before names are resolved.
final class SyntaxNode {
  indirect enum Kind {
    case literal(JSONValue)
    case name(String)
    /// The input of an expression that begins with a filter, such as `trim | upper`.
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
  /// The range of the expression in the UTF-8 text of the YAML scalar that contains it, without the parentheses around the expression.
  let range: Range<Int>
  /// The number of levels of the tree whose root is this node. The parser limits this number.
  let depth: Int
  /// The range of the expression, including the parentheses around it, in the UTF-8 text of the YAML scalar.
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

/// The binary operators of expressions. Their precedence is that of C, and `??` has the lowest precedence.
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

  /// The precedence of the `|` before a filter. As in Python and Rust, this operator has a higher precedence than comparisons, and a lower
  /// precedence than arithmetic operators.
  static let filterPrecedence = 6
}

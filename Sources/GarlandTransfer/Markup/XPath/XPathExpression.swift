/// A parsed XPath 1.0 expression.
indirect enum XPathExpression: Sendable {
  case number(Double)
  case literal(String)
  case negated(XPathExpression)
  /// A chain of operands and the operators between them. The operators have the same precedence and are evaluated from left to right. The
  /// operands are in a list, since a tree would be as deep as the chain is long.
  case chain(XPathExpression, [(symbol: Operator, operand: XPathExpression)])
  case call(Function, [XPathExpression])
  /// A location path: a base (the context, the root or the value of an expression), and the path's steps from this base.
  case path(base: Base, [Step])

  /// The nodes from which a path starts.
  indirect enum Base: Sendable {
    case context
    case root
    /// The value of an expression, filtered by predicates.
    case value(XPathExpression, predicates: [XPathExpression])
  }

  enum Operator: String, Sendable {
    case or, and
    case equal = "="
    case unequal = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case plus = "+"
    case minus = "-"
    case times = "*"
    case div, mod
    case union = "|"

    /// The operators by precedence, lowest precedence first. The parser handles the unary minus separately: its precedence is between the
    /// last two levels.
    static let levels: [[Operator]] = [
      [.or], [.and], [.equal, .unequal], [.less, .lessOrEqual, .greater, .greaterOrEqual], [.plus, .minus], [.times, .div, .mod],
    ]
  }

  enum Axis: String, Sendable {
    case ancestor
    case ancestorOrSelf = "ancestor-or-self"
    case attribute, child, descendant
    case descendantOrSelf = "descendant-or-self"
    case following
    case followingSibling = "following-sibling"
    case parent, preceding
    case precedingSibling = "preceding-sibling"
    case own = "self"

    /// Whether the axis leads backwards from the context node, as `ancestor` does. Position 1 is then the last node of the axis in document
    /// order (XPath 1.0, section 2.4).
    var isReverse: Bool {
      switch self {
      case .ancestor, .ancestorOrSelf, .preceding, .precedingSibling: true
      default: false
      }
    }
  }

  enum Test: Sendable, Equatable {
    case node, text, comment
    case instruction(String?)
    /// A name without a prefix: the test accepts nodes with this name that are in no namespace. If the name is nil (`*`), the test accepts
    /// nodes with any name in any namespace.
    case name(String?)
    /// The prefix of a namespace, and a name in this namespace. If the name is nil, the test accepts any name in the namespace.
    case prefixed(String, String?)
  }

  struct Step: Sendable {
    let axis: Axis
    let test: Test
    var predicates: [XPathExpression] = []

    static let anywhere = Step(axis: .descendantOrSelf, test: .node)

    /// Whether the predicates depend on the position of a node among the selected nodes.
    var isPositional: Bool { predicates.contains(where: \.isPositional) }
  }

  enum Function: String, Sendable {
    case last, position, count, id
    case localName = "local-name"
    case namespaceURI = "namespace-uri"
    case name, string, concat
    case startsWith = "starts-with"
    case contains
    case substringBefore = "substring-before"
    case substringAfter = "substring-after"
    case substring
    case stringLength = "string-length"
    case normalizeSpace = "normalize-space"
    case translate, boolean, not
    case isTrue = "true"
    case isFalse = "false"
    case lang, number, sum, floor, ceiling, round

    /// The numbers of arguments that the function accepts.
    var arguments: ClosedRange<Int> {
      switch self {
      case .last, .position, .isTrue, .isFalse: 0...0
      case .localName, .namespaceURI, .name, .string, .stringLength, .normalizeSpace, .number: 0...1
      case .count, .id, .boolean, .not, .lang, .sum, .floor, .ceiling, .round: 1...1
      case .startsWith, .contains, .substringBefore, .substringAfter: 2...2
      case .substring: 2...3
      case .translate: 3...3
      case .concat: 2...Int.max
      }
    }
  }

  /// Whether the expression, used as a predicate, depends on the position of the node. True if the expression calls `position()` or
  /// `last()`. Also true if its value may be a number, since XPath compares a number with the position.
  private var isPositional: Bool {
    switch self {
    case .number, .negated: return true
    case .literal: return false
    case .chain(let first, let rest):
      switch rest.first?.symbol {
      case .plus?, .minus?, .times?, .div?, .mod?: return true
      case .union?: return false
      default: return first.asksForPosition || rest.contains { $0.operand.asksForPosition }
      }
    case .call(let function, let arguments):
      switch function {
      case .last, .position, .count, .stringLength, .number, .sum, .floor, .ceiling, .round: return true
      default: return arguments.contains(where: \.asksForPosition)
      }
    case .path: return asksForPosition
    }
  }

  /// Whether the value of the expression depends on the position of a node in a list, because the expression calls `position()` or
  /// `last()`. Calls in nested predicates do not count, since they refer to other lists.
  private var asksForPosition: Bool {
    switch self {
    case .number, .literal: false
    case .negated(let operand): operand.asksForPosition
    case .chain(let first, let rest): first.asksForPosition || rest.contains { $0.operand.asksForPosition }
    case .call(let function, let arguments): function == .last || function == .position || arguments.contains(where: \.asksForPosition)
    // Nested predicates have their own contexts.
    case .path(.value(let base, _), _): base.asksForPosition
    case .path: false
    }
  }
}

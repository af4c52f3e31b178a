/// Removes one feature of the language while a document is decoded, so that tests can prove that a
/// case depends on it.
///
/// It changes the decoded document, not its evaluation: a run pays nothing for it.
package enum Ablation: Sendable, Hashable {
  /// A predicate that always holds, or never does.
  case predicate(String, holds: Bool)
  /// A key of `expect` that expects nothing.
  case expectation(String)
  /// A filter, which then returns its input.
  case filter(String)
  /// A function that gives null.
  case function(String)
  /// An operator that gives its operand, or its left one.
  case binary(String)
  case unary(String)
}

extension ExpressionCompiler.Typed {
  /// The operand of an operator, or its left one.
  var withoutOperation: Self {
    switch node.kind {
    case .not(let operand), .negate(let operand), .coalesce(let operand, _), .or(let operand, _), .and(let operand, _),
      .equality(_, let operand, _), .comparison(_, let operand, _), .arithmetic(_, let operand, _):
      Self(node: operand, kinds: kinds)
    default: self
    }
  }
}

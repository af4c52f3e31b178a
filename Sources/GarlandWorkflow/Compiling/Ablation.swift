/// Takes one thing of the language away while a document is decoded, so that tests can prove that somebody would miss it.
///
/// It acts on the decoded document, not on what evaluates it: a run pays nothing for it.
package enum Ablation: Sendable, Hashable {
  /// A predicate that always holds, or never does.
  case predicate(String, holds: Bool)
  /// A key of `expect` that expects nothing.
  case expectation(String)
  /// A filter that gives what it is given.
  case filter(String)
  /// A function that gives null.
  case function(String)
  /// An operator that gives its operand, or its left one.
  case binary(String)
  case unary(String)
}

extension ExpressionCompiler.Typed {
  /// What an operator works on, or what stands left of it.
  var withoutOperation: Self {
    switch node.kind {
    case .not(let operand), .negate(let operand), .coalesce(let operand, _), .or(let operand, _), .and(let operand, _),
      .equality(_, let operand, _), .comparison(_, let operand, _), .arithmetic(_, let operand, _):
      Self(node: operand, kinds: kinds)
    default: self
    }
  }
}

/// A feature of the language that is removed while a document is decoded, so that tests can prove that a
/// case depends on the feature.
///
/// The removal changes the decoded document, not its evaluation, so it costs nothing during a run.
package enum Ablation: Sendable, Hashable {
  /// A predicate. It is then always true, or always false.
  case predicate(String, holds: Bool)
  /// A key of `expect`. It is then ignored.
  case expectation(String)
  /// A filter. It then returns its input.
  case filter(String)
  /// A function. It then returns null.
  case function(String)
  /// An operator with two operands. It then returns its left operand.
  case binary(String)
  case unary(String)
}

extension ExpressionCompiler.Typed {
  /// The expression without its operator: the only operand, or the left one.
  var withoutOperation: Self {
    switch node.kind {
    case .not(let operand), .negate(let operand), .coalesce(let operand, _), .or(let operand, _), .and(let operand, _),
      .equality(_, let operand, _), .comparison(_, let operand, _), .arithmetic(_, let operand, _):
      Self(node: operand, kinds: kinds)
    default: self
    }
  }
}

/// A language feature that an ablation test removes while a document is decoded. The test proves that a test case depends on the feature.
///
/// The removal changes the decoded document, not its evaluation, so it costs nothing during a run.
package enum Ablation: Sendable, Hashable {
  /// Makes the named predicate always true if `holds` is true, otherwise always false.
  case predicate(String, holds: Bool)
  /// Ignores the named key of `expect`.
  case expectation(String)
  /// Makes the named filter return its input unchanged.
  case filter(String)
  /// Makes every call of the named function return null.
  case function(String)
  /// Removes the named binary operator: every operation returns its left operand.
  case binary(String)
  case unary(String)
}

extension ExpressionCompiler.Typed {
  /// The value that replaces an operation if an ablation test removes the operator (see ``Ablation``): the first operand. For any other
  /// expression, the expression itself.
  var withoutOperation: Self {
    switch node.kind {
    case .not(let operand), .negate(let operand), .coalesce(let operand, _), .or(let operand, _), .and(let operand, _),
      .equality(_, let operand, _), .comparison(_, let operand, _), .arithmetic(_, let operand, _):
      Self(node: operand, kinds: kinds)
    default: self
    }
  }
}

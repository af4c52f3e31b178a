/// A language feature that an ablation test removes while a document is decoded, to prove that a conformance case fails without this
/// feature.
///
/// The removal changes the decoded document, not its evaluation. Therefore the support for ablation tests costs no time during a run.
package enum Ablation: Sendable, Hashable {
  /// Makes the named predicate always true if `holds` is true, otherwise always false.
  case predicate(String, holds: Bool)
  /// Ignores the named key of `expect`.
  case expectation(String)
  /// Makes the named filter return its input unchanged.
  case filter(String)
  /// Makes every call of the named function return null.
  case function(String)
  /// Removes the named binary operator from all expressions: every operation with this operator returns its left operand.
  case binary(String)
  case unary(String)
}

extension ExpressionCompiler.Typed {
  /// The expression without its operator: the first operand. An ablation test evaluates the operand instead of the operation (see
  /// ``Ablation``). An expression without an operator remains unchanged.
  var withoutOperation: Self {
    switch node.kind {
    case .not(let operand), .negate(let operand), .coalesce(let operand, _), .or(let operand, _), .and(let operand, _),
      .equality(_, let operand, _), .comparison(_, let operand, _), .arithmetic(_, let operand, _):
      Self(node: operand, kinds: kinds)
    default: self
    }
  }
}

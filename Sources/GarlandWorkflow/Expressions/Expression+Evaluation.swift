extension Expression {
  /// Its value.
  public func evaluate(in context: any EvaluationContext) throws(EvaluationError) -> Value {
    try root.evaluate(in: context)
  }
}

extension ExpressionNode {
  func evaluate(in context: any EvaluationContext) throws(EvaluationError) -> Value {
    switch kind {
    case .constant(let value): value
    }
  }
}

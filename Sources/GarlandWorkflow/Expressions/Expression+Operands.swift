extension Expression {
  /// Returns the operands of a condition, each with its text and its value, to explain why the condition is false. The value of an
  /// undefined operand is nil.
  ///
  /// For example, `response.json.state == 'done'` has an operand with the text `response.json.state`. The second operand is a literal and
  /// is not returned.
  public func operands(in context: any EvaluationContext) -> [(text: String, value: Value?)] {
    var result: [(text: String, value: Value?)] = []
    collectOperands(of: root, EvaluationFrame(context: context, expression: self), &result)
    return result
  }

  private func collectOperands(of node: ExpressionNode, _ frame: EvaluationFrame, _ result: inout [(text: String, value: Value?)]) {
    switch node.kind {
    case .not(let operand): collectOperands(of: operand, frame, &result)
    case .and(let left, let right), .or(let left, let right):
      collectOperands(of: left, frame, &result)
      collectOperands(of: right, frame, &result)
    case .equality(_, let left, let right), .comparison(_, let left, let right):
      for side in [left, right] where side.constant == nil {
        let text = text(side.range)
        guard !result.contains(where: { $0.text == text }) else { continue }
        result.append((text, try? side.evaluate(frame)))
      }
    default: break
    }
  }
}

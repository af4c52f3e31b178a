extension ExpressionNode {
  /// Its value where all of it counts: what items of a loop did not give is undefined there, and not a shorter list.
  ///
  /// A loop over such a list, and what looks at one item after the other, passes over the gaps.
  func evaluateWhole(_ frame: EvaluationFrame) throws(ExpressionFailure) -> Value {
    let value = try evaluate(frame)
    guard case .sparse(let items) = value, let gap = items.firstIndex(where: { $0 == nil }) else { return value }
    let source = frame.text(range)
    throw frame.undefined(
      "`\(source)` has nothing for item \(gap), which did not pass or found nothing", at: range,
      help: "the list of what is there is `\(source) | filter(true)`")
  }
}

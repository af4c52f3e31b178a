extension ExpressionNode {
  /// Evaluates an expression whose value is used as a whole. If the value is a list in which some loop items have no value
  /// (``Value/sparse(_:)``), the function throws the error for an undefined value, instead of returning a shorter list.
  ///
  /// A loop over such a list, and a filter that reads the items one by one, do not use this function, and skip these items.
  func evaluateWhole(_ frame: EvaluationFrame) throws(ExpressionFailure) -> Value {
    let value = try evaluate(frame)
    guard case .sparse(let items) = value, let gap = items.firstIndex(where: { $0 == nil }) else { return value }
    let source = frame.text(range)
    throw frame.undefined(
      "`\(source)` has no value for item [\(gap)], because this item of the loop did not pass or extracted nothing", at: range,
      help: "to leave out items without a value, write `\(source) | filter(true)`")
  }
}

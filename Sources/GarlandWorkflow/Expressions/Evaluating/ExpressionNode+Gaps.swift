extension ExpressionNode {
  /// Evaluates an expression whose value must be complete. If the value is a list in which some loop items have no value
  /// (``Value/sparse(_:)``), the function throws the error for an undefined value, instead of returning a shorter list.
  ///
  /// Loops over such a list, and filters that read the items one by one, do not use this function, but skip the items without a value.
  func evaluateWhole(_ frame: EvaluationFrame) throws(ExpressionFailure) -> Value {
    let value = try evaluate(frame)
    guard case .sparse(let items) = value, let gap = items.firstIndex(where: { $0 == nil }) else { return value }
    let source = frame.text(range)
    throw frame.undefined(
      "`\(source)` has no value for item [\(gap)], because this item of the loop did not pass or extracted nothing", at: range,
      help: "to leave out items without a value, write `\(source) | filter(true)`")
  }
}

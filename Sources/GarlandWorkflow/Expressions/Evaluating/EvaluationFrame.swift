/// The data that the evaluation of an expression or sub-expression needs: the context, the whole expression, and the current `item`.
struct EvaluationFrame {
  let context: any EvaluationContext
  /// The whole expression, even while one of its sub-expressions is evaluated. Errors quote its text.
  let expression: Expression
  /// The values of `item` and `index` in an argument of a filter such as `map`; nil outside of such arguments.
  var local: (item: Value, index: Int)?
  /// The input of the first filter in an expression that begins with a filter, such as `trim | upper`; nil for other expressions.
  var subject: Value?
  /// Whether the left operand of `??` is being evaluated. If its value is undefined, the right operand is used, so the error for the
  /// undefined value is never shown.
  var isGuarded = false

  init(context: any EvaluationContext, expression: Expression) {
    self.context = context
    self.expression = expression
  }

  var guarded: EvaluationFrame {
    var copy = self
    copy.isGuarded = true
    return copy
  }

  func with(item: Value, index: Int) -> EvaluationFrame {
    var copy = self
    copy.local = (item, index)
    return copy
  }

  /// Returns the error for an undefined value. On the left of `??`, the error has no message, since the message is never shown.
  func undefined(
    _ message: @autoclosure () -> String, at range: Range<Int>, help: @autoclosure () -> String? = nil
  ) -> ExpressionFailure {
    guard !isGuarded else { return .guarded }
    return .local(.init(.undefined, message(), at: range, help: help(), isUndefined: true))
  }

  /// Returns the source text at `range`, for messages. In an expression such as `trim | upper`, the source contains no text for the input
  /// of the first filter. For this input, returns "the value".
  func text(_ range: Range<Int>) -> String { hasNoText(range) ? "the value" : expression.text(range) }

  /// Returns the source text at `range` in backquotes. In an expression such as `trim | upper`, the input of the first filter is not
  /// written. For the range of this input, returns "the value"; see `text(_:)`.
  func quoted(_ range: Range<Int>) -> String { hasNoText(range) ? "the value" : "`\(expression.text(range))`" }

  private func hasNoText(_ range: Range<Int>) -> Bool { range.isEmpty && subject != nil }

  /// Registers a value that was computed from a secret, so that the run's redactor masks it. Returns the value unchanged.
  ///
  /// - Parameter range: the range of the sub-expression that computed the value.
  func derived(_ value: Value, by range: Range<Int>) -> Value {
    guard value.isTainted else { return value }
    // For an item, the whole expression is shown, because the operation on the item cannot be understood without the list.
    let source = local == nil ? text(range) : expression.source
    value.forEachSecret { context.secretRegistry.register(secret: $0, madeBy: source) }
    return value
  }
}

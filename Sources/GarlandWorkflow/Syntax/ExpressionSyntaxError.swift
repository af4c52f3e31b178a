import GarlandDiagnostics

/// A mistake in the text of an expression, by offsets in the scalar's text.
struct ExpressionSyntaxError: Error {
  var code: DiagnosticCode = .expressionSyntax
  let message: String
  let range: Range<Int>
  var label: String?
  var help: String?
  /// The text to put at `range` to follow the help.
  var replacement: String?
  /// The place that `replacement` replaces, if it is not `range`.
  var fixRange: Range<Int>?
}

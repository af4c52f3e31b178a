import GarlandDiagnostics

/// A mistake in the text of an expression, by offsets in the scalar's text.
struct ExpressionSyntaxError: Error {
  var code: DiagnosticCode = .expressionSyntax
  let message: String
  let range: Range<Int>
  var label: String?
  var help: String?
  /// What to put at `range` to follow the help.
  var replacement: String?
  /// What `replacement` takes the place of, where that is not `range`.
  var fixRange: Range<Int>?
}

import GarlandDiagnostics

/// A mistake in the syntax of an expression. Its position is given by offsets in the scalar's text.
struct ExpressionSyntaxError: Error {
  var code: DiagnosticCode = .expressionSyntax
  let message: String
  let range: Range<Int>
  var label: String?
  var help: String?
  /// The text that replaces `range` to correct the mistake.
  var replacement: String?
  /// The range that `replacement` replaces. If nil, `replacement` replaces `range`.
  var fixRange: Range<Int>?
}

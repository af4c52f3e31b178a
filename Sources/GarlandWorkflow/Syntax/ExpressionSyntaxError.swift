import GarlandDiagnostics

/// A mistake in the syntax of an expression. Its position is given by offsets in the text of the
/// YAML scalar that contains the expression.
struct ExpressionSyntaxError: Error {
  var code: DiagnosticCode = .expressionSyntax
  let message: String
  let range: Range<Int>
  var label: String?
  var help: String?
  /// The text that corrects the mistake by replacing ``fixRange``, or ``range`` if ``fixRange`` is nil. Without a known correction, the
  /// text is nil.
  var replacement: String?
  /// The range that ``replacement`` replaces; nil if ``replacement`` replaces ``range``.
  var fixRange: Range<Int>?
}

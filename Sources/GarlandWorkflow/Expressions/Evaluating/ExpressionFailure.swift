import GarlandDiagnostics

/// The error thrown by a sub-expression that has no value. It contains the position of the sub-expression, as offsets in the text of the
/// YAML scalar. ``Expression/evaluate(in:)`` converts the error to an ``EvaluationError`` with a source range.
enum ExpressionFailure: Error {
  /// An error in the evaluated expression.
  case local(Details)
  /// An error in another expression, for example in the value of a variable that the evaluated expression uses.
  case outer(EvaluationError)
  /// An undefined value on the left of `??`. The error has no message, since it is never shown.
  case guarded

  final class Details: Sendable {
    let code: DiagnosticCode
    let message: String
    let range: Range<Int>
    let label: String?
    let help: String?
    let isUndefined: Bool

    init(_ code: DiagnosticCode, _ message: String, at range: Range<Int>, label: String? = nil, help: String?, isUndefined: Bool) {
      self.code = code
      self.message = message
      self.range = range
      self.label = label
      self.help = help
      self.isUndefined = isUndefined
    }
  }

  /// Returns the error for an invalid value.
  ///
  /// - Parameter range: the range of the sub-expression with the invalid value.
  static func wrong(_ code: DiagnosticCode, _ message: String, at range: Range<Int>, help: String? = nil) -> ExpressionFailure {
    .local(Details(code, message, at: range, help: help, isUndefined: false))
  }

  /// Whether the cause of the error is an undefined value, so that `??` replaces the value.
  var isUndefined: Bool {
    switch self {
    case .local(let details): details.isUndefined
    case .outer(let error): error.isUndefined
    case .guarded: true
    }
  }
}

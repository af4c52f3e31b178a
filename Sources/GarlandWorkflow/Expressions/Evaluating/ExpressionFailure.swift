import GarlandDiagnostics

/// Why a sub-expression has no value, by offsets in the scalar's text: ``Expression/evaluate(in:)`` makes an ``EvaluationError`` of it.
enum ExpressionFailure: Error {
  /// Something of this expression.
  case local(Details)
  /// Something of another one, such as a variable's value.
  case outer(EvaluationError)
  /// Something is undefined on the left of a `??`: nobody will read why.
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

  /// Something is wrong with the value at `range`.
  static func wrong(_ code: DiagnosticCode, _ message: String, at range: Range<Int>, help: String? = nil) -> ExpressionFailure {
    .local(Details(code, message, at: range, help: help, isUndefined: false))
  }

  /// Whether `??` makes good for it.
  var isUndefined: Bool {
    switch self {
    case .local(let details): details.isUndefined
    case .outer(let error): error.isUndefined
    case .guarded: true
    }
  }
}

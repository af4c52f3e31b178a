import GarlandWorkflow

/// An error of an evaluation, which includes the lack of time.
protocol EvaluationFailure: Error {
  init(_ error: EvaluationError)
  /// Nil if something else went wrong.
  var evaluationError: EvaluationError? { get }
}

extension EvaluationError: EvaluationFailure {
  init(_ error: EvaluationError) { self = error }
  var evaluationError: EvaluationError? { self }
}

extension RequestRefusal: EvaluationFailure {
  init(_ error: EvaluationError) { self = .value(error) }
  var evaluationError: EvaluationError? { if case .value(let error) = self { error } else { nil } }
}

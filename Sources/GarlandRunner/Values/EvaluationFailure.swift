import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import GarlandWorkflow

/// An error that an evaluation can throw. An exceeded time limit is also such an error.
protocol EvaluationFailure: Error {
  init(_ error: EvaluationError)
  /// The evaluation error; nil if the failure has another cause.
  var evaluationError: EvaluationError? { get }
}

extension EvaluationError: EvaluationFailure {
  init(_ error: EvaluationError) { self = error }

  /// Creates the error for a value whose computation has ended early.
  ///
  /// - Parameter limit: returns the time limit in words.
  init(endOf computation: Computation, limit: () -> String, at place: SourceRange?) {
    if let shortage = computation.shortage {
      self.init(Diagnostic(.file, "was not evaluated: \(shortage)", at: place))
    } else {
      self.init(Diagnostic(.outOfTime, "was not evaluated within \(limit())", at: place))
    }
  }

  var evaluationError: EvaluationError? { self }
}

extension RequestRefusal: EvaluationFailure {
  init(_ error: EvaluationError) { self = .value(error) }
  var evaluationError: EvaluationError? { if case .value(let error) = self { error } else { nil } }
}

/// The reason why the request of a step could not be built.
enum RequestRefusal: Error {
  /// A value is undefined or invalid.
  case value(EvaluationError)
  /// A file can't be read or written.
  case file(CheckFailure)
  /// Every value exists, but the request that results from the values is invalid.
  case request(CheckFailure)
}

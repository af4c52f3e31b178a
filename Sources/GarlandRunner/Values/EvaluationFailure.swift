import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import GarlandWorkflow

/// An error type that functions can throw when they evaluate expressions. It can represent every ``EvaluationError``, such as an exceeded
/// time limit.
protocol EvaluationFailure: Error {
  init(_ error: EvaluationError)
  /// The error that the expression caused; nil if the failure has another cause.
  var evaluationError: EvaluationError? { get }
}

extension EvaluationError: EvaluationFailure {
  init(_ error: EvaluationError) { self = error }

  /// Creates the error for a value whose evaluation was ended by a time limit or by a lack of memory.
  ///
  /// - Parameter limit: returns the time limit in words.
  init(endOf computation: Computation, limit: () -> String, at place: SourceRange?) {
    if let shortage = computation.shortage {
      self.init(Diagnostic(.file, "the value was not evaluated: \(shortage)", at: place))
    } else {
      self.init(Diagnostic(.outOfTime, "the value was not evaluated within \(limit())", at: place))
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
  /// All values are valid, but the request that results from them is not.
  case request(CheckFailure)
}

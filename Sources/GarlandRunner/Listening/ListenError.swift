import GarlandWorkflow

/// The reason why a listening step can't receive requests.
package struct ListenError: Error, Sendable {
  /// The message, a sentence without a full stop: "no port could be opened to listen: Too many open files".
  package let message: String
  /// The error of an expression in the path of the listening step's URL; nil if no expression has failed.
  let evaluationError: EvaluationError?

  init(message: String) {
    self.message = message
    evaluationError = nil
  }
}

extension ListenError: EvaluationFailure {
  init(_ error: EvaluationError) {
    message = error.diagnostic.message
    evaluationError = error
  }

  /// The error of an expression in the path at which the step listens, if the evaluation exceeded the time limit. Nil for any other reason
  /// why the step can't receive requests.
  var outOfTime: EvaluationError? { evaluationError.flatMap { $0.diagnostic.code == .outOfTime ? $0 : nil } }
}

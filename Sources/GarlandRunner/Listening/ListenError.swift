import GarlandWorkflow

/// Why nothing can be listened to.
package struct ListenError: Error, Sendable {
  /// A sentence without an end: "there is no port to listen at: Too many open files".
  package let message: String
  /// The expression of the path that has no value, if that is why.
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

  /// Set if there was no time to find out where it is listened.
  var outOfTime: EvaluationError? { evaluationError.flatMap { $0.diagnostic.code == .outOfTime ? $0 : nil } }
}

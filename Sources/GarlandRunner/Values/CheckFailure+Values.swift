import GarlandDiagnostics
import GarlandResults
import GarlandWorkflow

extension CheckFailure {
  /// Makes the failure for a value that could not be evaluated.
  init(_ error: EvaluationError) {
    let diagnostic = error.diagnostic
    self.init(
      diagnostic.code == .file ? .file : .value,
      subject: diagnostic.code == "form" ? "submit" : diagnostic.range?.text ?? "value", message: diagnostic.message, at: diagnostic.range)
    help = diagnostic.helps.first?.message
    isOutOfTime = diagnostic.code == .outOfTime
  }

  /// Makes the failure for a body that can't be read in some way.
  init(_ error: ResponseDataError, subject: String, at range: SourceRange?) {
    self.init(error.isLocal ? .file : .expectation, subject: subject, message: error.message, at: range)
  }

  /// Makes the failure for a check that was not finished in time. The caller, which knows the
  /// reason, completes it.
  static func outOfTime(_ subject: String, at range: SourceRange?) -> CheckFailure {
    var failure = CheckFailure(.value, subject: subject, message: "was not finished in time", at: range)
    failure.isOutOfTime = true
    return failure
  }

  /// Returns the outcome of a step with these failures. A local file that can't be read or written
  /// says nothing about the API.
  static func outcome(of failures: [CheckFailure]) -> Outcome {
    // An unfinished check says nothing about the API.
    if failures.contains(where: \.isOutOfTime) { return .error }
    return failures.isEmpty ? .passed : failures.allSatisfy { $0.kind == .file } ? .error : .failed
  }

  /// Makes the failure for a request, or a part of it, that could not be made.
  init(refusal: RequestRefusal) {
    switch refusal {
    case .value(let error): self.init(error)
    case .file(let failure), .request(let failure): self = failure
    }
  }
}

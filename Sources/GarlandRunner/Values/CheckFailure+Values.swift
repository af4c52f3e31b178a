import GarlandDiagnostics
import GarlandResults
import GarlandWorkflow

extension CheckFailure {
  /// Of a value that could not be made.
  init(_ error: EvaluationError) {
    let diagnostic = error.diagnostic
    self.init(
      diagnostic.code == .file ? .file : .value,
      subject: diagnostic.code == "form" ? "submit" : diagnostic.range?.text ?? "value", message: diagnostic.message, at: diagnostic.range)
    help = diagnostic.helps.first?.message
    isOutOfTime = diagnostic.code == .outOfTime
  }

  /// Of a body that can't be looked at in some way.
  init(_ error: ResponseDataError, subject: String, at range: SourceRange?) {
    self.init(error.isLocal ? .file : .expectation, subject: subject, message: error.message, at: range)
  }

  /// Of what was not finished in time. Who knows why there was no more time completes it.
  static func outOfTime(_ subject: String, at range: SourceRange?) -> CheckFailure {
    var failure = CheckFailure(.value, subject: subject, message: "was not finished in time", at: range)
    failure.isOutOfTime = true
    return failure
  }

  /// What a step comes to by what went wrong. That a local file can't be read or written says nothing about the API.
  static func outcome(of failures: [CheckFailure]) -> Outcome {
    // What was not finished says nothing about the API.
    if failures.contains(where: \.isOutOfTime) { return .error }
    return failures.isEmpty ? .passed : failures.allSatisfy { $0.kind == .file } ? .error : .failed
  }

  /// What a request, or what is needed for one, could not be made of.
  init(refusal: RequestRefusal) {
    switch refusal {
    case .value(let error): self.init(error)
    case .file(let failure), .request(let failure): self = failure
    }
  }
}

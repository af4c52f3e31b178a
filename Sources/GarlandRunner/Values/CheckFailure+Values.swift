import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import GarlandWorkflow

extension CheckFailure {
  /// Creates the failure for a value that could not be evaluated.
  init(_ error: EvaluationError) {
    let diagnostic = error.diagnostic
    self.init(
      diagnostic.code == .file ? .file : .value,
      subject: diagnostic.code == "form" ? "submit" : diagnostic.range.map(Self.value(at:)) ?? "value", message: diagnostic.message,
      at: diagnostic.range)
    help = diagnostic.helps.first?.message
    isOutOfTime = diagnostic.code == .outOfTime
  }

  /// Returns the text at a range of a document, without the quotes around it.
  private static func value(at range: SourceRange) -> String {
    let text = range.text
    let inner = text.dropFirst().dropLast()
    guard text.utf8.count >= 2, let quote = text.first, quote == "\"" || quote == "'", text.last == quote, !inner.contains(quote) else {
      return text
    }
    return String(inner)
  }

  /// Creates the failure for a body that can't be read in the form that a check requires, such as JSON.
  init(_ error: ResponseDataError, subject: String, at range: SourceRange?) {
    self.init(error.isLocal ? .file : .expectation, subject: subject, message: error.message, at: range)
  }

  /// Creates the failure for a check whose computation has ended early. If the cause is the time limit of the computation, the message does
  /// not contain the limit; the caller must add it.
  static func outOfTime(
    _ subject: String, at range: SourceRange?, in computation: Computation? = Computation.current
  ) -> CheckFailure {
    let shortage = computation?.shortage
    var failure = CheckFailure(
      shortage == nil ? .value : .file, subject: subject,
      message: shortage.map { "the evaluation was not finished: \($0)" } ?? "the evaluation was not finished within the time limit",
      at: range)
    failure.isOutOfTime = true
    return failure
  }

  /// Returns the outcome of a step with the given failures: ``Outcome/passed`` if there are no failures, otherwise ``Outcome/failed``.
  /// There are two exceptions: the outcome is ``Outcome/error`` if a check was not finished in time, or if all failures are about local
  /// files. In both cases, the failures show no mistake of the API.
  static func outcome(of failures: [CheckFailure]) -> Outcome {
    // An unfinished check says nothing about the API.
    if failures.contains(where: \.isOutOfTime) { return .error }
    return failures.isEmpty ? .passed : failures.allSatisfy { $0.kind == .file } ? .error : .failed
  }

  /// Creates the failure of a step whose request, or a part of it, could not be built.
  init(refusal: RequestRefusal) {
    switch refusal {
    case .value(let error): self.init(error)
    case .file(let failure), .request(let failure): self = failure
    }
  }
}

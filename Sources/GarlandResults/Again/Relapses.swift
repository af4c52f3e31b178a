/// The failures, in a rerun, of steps whose earlier results passed.
///
/// A result that passed is already reported, so such a failure can't replace it. If the failure is the reason why another step never runs, it
/// becomes the result of that step (``failure(of:_:)``). Otherwise the other step would only be blocked or not run, and the run would have the
/// exit status 0 although nothing checked the step.
struct Relapses {
  /// Each key is the name of the failed step, or of a step that passed before and that the failure blocks in the rerun.
  private var failures: [StepName: StepResult] = [:]
  /// The first failure of the rerun.
  private var first: StepResult?

  /// Records the result, in the rerun, of a step whose earlier result is already reported.
  mutating func record(_ result: StepResult) {
    if result.outcome == .blocked {
      if let cause = cause(ofBlocked: result) { failures[StepName(result.step)] = cause }
    } else if result.outcome.isProblem, !result.isFailureAllowed {
      failures[StepName(result.step)] = result
      first = first ?? result
    }
  }

  private func cause(ofBlocked result: StepResult) -> StepResult? { result.blockedBy.lazy.compactMap { failures[StepName($0)] }.first }

  /// Returns, for each result, the recorded failure because of which its step never ran. Nil for a step that ran, and for a step that did
  /// not run for a reason that is reported elsewhere, such as another of the results.
  ///
  /// - Parameters:
  ///   - results: the results, after the rerun, of the steps that did not pass.
  ///   - isStoppedByFailures: whether the rerun was stopped because too many steps failed.
  func causes(of results: [StepResult], isStoppedByFailures: Bool) -> [StepResult?] {
    let failed = Set(results.lazy.filter(\.outcome.isProblem).map { StepName($0.step) })
    return results.map { result in
      switch result.outcome {
      case .blocked: result.blockedBy.contains { failed.contains(StepName($0)) } ? nil : cause(ofBlocked: result)
      case .notRun: isStoppedByFailures && failed.isEmpty ? first : nil
      case .passed, .failed, .error, .unreachable, .skipped: nil
      }
    }
  }

  /// Converts the result of a step that never ran into a failure, because a step that passed before failed in the last rerun.
  ///
  /// - Parameters:
  ///   - result: the result of the step, which is blocked or not run.
  ///   - cause: the failure in the last rerun. The converted result has its outcome, and so the exit status that belongs to it.
  static func failure(of result: StepResult, _ cause: StepResult) -> StepResult {
    let step = "the step `\(cause.step.id)`"
    let reason =
      result.outcome == .blocked
      ? "needs \(step), which passed before, but not in the last rerun"
      : "\(result.reason ?? "the step was not run"); \(step) passed before, but not in the last rerun"
    var result = result
    result.outcome = cause.outcome
    result.blockedBy = []
    result.reason = cause.failures.isEmpty ? cause.reason.map { "\(reason): \($0)" } ?? reason : nil
    result.failures = cause.failures.map { failure in
      var failure = failure
      failure.message = "\(reason): \(failure.sentence)"
      failure.subject = ""
      return failure
    }
    return result
  }
}

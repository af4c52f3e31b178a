import GarlandDiagnostics
import GarlandResults
import GarlandWorkflow

/// Checks whether the condition of a poll is met.
struct PollJudge {
  enum Verdict {
    case done
    /// The condition is not met yet. The associated value contains the failures, if the condition consists of expectations.
    case notYet([CheckFailure])
    /// Polling ends without success. The first failure is the reason.
    case failed([CheckFailure])
  }

  private let poll: PollSettings
  private let context: any EvaluationContext

  init(_ poll: PollSettings, _ context: any EvaluationContext) {
    self.poll = poll
    self.context = context
  }

  /// Checks a response against the conditions of the poll, `until` and `fail`.
  ///
  /// - Parameters:
  ///   - response: the response to the latest request of the poll.
  ///   - step: the step that polls.
  ///   - isLast: whether no time is left for another request of the poll.
  func judge(_ response: some ResponseView, of step: Step, isLast: Bool) -> Verdict {
    if let fail = poll.fail {
      switch evaluate(fail) {
      case .success(true):
        var failure = CheckFailure(
          .expectation, subject: "poll.fail", message: "`\(Shown.cut(ConditionText.of(fail), 120))` is true, so the step stopped waiting",
          at: fail.range)
        failure.actual = ConditionText.values(of: fail, in: context)
        return .failed([failure])
      case .success(false): break
      case .failure(let error) where error.isUndefined: break
      case .failure(let error): return .failed([CheckFailure(error)])
      }
    }
    switch poll.until {
    case .condition(let condition): return judge(condition, attempts: response.attempts, isLast: isLast)
    case .expectations(let expectations):
      var judge = ExpectationJudge(step: step, response: response, context: context)
      let unmet = judge.unmet(expectations)
      if unmet.isEmpty { return .done }
      // An error on this machine, such as a missing library, does not go away by asking again.
      let local = unmet.filter { $0.kind == .file }
      if !local.isEmpty { return .failed(local) }
      return isLast ? .failed([overdue(attempts: response.attempts)] + unmet) : .notYet(unmet)
    }
  }

  private func judge(_ condition: Setting<Bool>, attempts: Int, isLast: Bool) -> Verdict {
    var why: String?
    var advice: String?
    switch evaluate(condition) {
    case .success(true): return .done
    case .success(false): why = ConditionText.values(of: condition, in: context)
    // Before the condition holds, many members of the response may be missing.
    case .failure(let error) where error.isUndefined || error.diagnostic.code == .responseBody:
      why = error.diagnostic.message
      // A misspelt name is always undefined, and looks like a value that is not there yet.
      if error.isUndefined { advice = error.diagnostic.helps.first?.message }
    case .failure(let error): return .failed([CheckFailure(error)])
    }
    guard isLast else { return .notYet([]) }
    var failure = overdue(attempts: attempts)
    failure.actual = why
    failure.help = advice
    return .failed([failure])
  }

  /// Returns the failure of a poll whose condition was not met in time.
  func overdue(attempts: Int) -> CheckFailure {
    let within = (try? poll.within?.resolve(in: context)) ?? PollSettings.defaultTime
    var problem = "the expectations were not met"
    if case .condition(let condition) = poll.until { problem = "`\(Shown.cut(ConditionText.of(condition), 120))` was not true" }
    var failure = CheckFailure(
      .expectation, subject: "poll.until",
      message: "\(problem) within \(within.inWords) (\(Shown.count(attempts, "poll")))", at: poll.untilRange)
    if case .condition = poll.until { failure.expected = "true" }
    return failure
  }

  private func evaluate(_ condition: Setting<Bool>) -> Result<Bool, EvaluationError> {
    do throws(EvaluationError) {
      return .success(try condition.resolve(in: context))
    } catch {
      return .failure(error)
    }
  }
}

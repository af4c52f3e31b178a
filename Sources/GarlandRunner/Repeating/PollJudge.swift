import GarlandDiagnostics
import GarlandResults
import GarlandWorkflow

/// Looks whether what a step polls for has come.
struct PollJudge {
  enum Verdict {
    case done, notYet
    case failed(CheckFailure)
  }

  private let poll: PollSettings
  private let context: any EvaluationContext

  init(_ poll: PollSettings, _ context: any EvaluationContext) {
    self.poll = poll
    self.context = context
  }

  /// - Parameters:
  ///   - attempts: how many requests were sent.
  ///   - isLast: whether there is no time for another.
  func judge(attempts: Int, isLast: Bool) -> Verdict {
    if let fail = poll.fail {
      switch evaluate(fail) {
      case .success(true):
        var failure = CheckFailure(
          .expectation, subject: "poll.fail", message: "`\(Shown.cut(ConditionText.of(fail), 120))` holds: there is nothing to wait for",
          at: fail.range)
        failure.actual = ConditionText.values(of: fail, in: context)
        return .failed(failure)
      case .success(false): break
      case .failure(let error) where error.isUndefined: break
      case .failure(let error): return .failed(CheckFailure(error))
      }
    }
    var why: String?
    var advice: String?
    switch evaluate(poll.until) {
    case .success(true): return .done
    case .success(false): why = ConditionText.values(of: poll.until, in: context)
    // Before what is waited for has come, much of the response may not be there.
    case .failure(let error) where error.isUndefined || error.diagnostic.code == .responseBody:
      why = error.diagnostic.message
      // What is misspelt is never there, and looks as what has not come yet.
      if error.isUndefined { advice = error.diagnostic.helps.first?.message }
    case .failure(let error): return .failed(CheckFailure(error))
    }
    guard isLast else { return .notYet }
    var failure = overdue(attempts: attempts)
    failure.actual = why
    failure.help = advice
    return .failed(failure)
  }

  /// What is waited for has not come in time.
  func overdue(attempts: Int) -> CheckFailure {
    let within = (try? poll.within?.resolve(in: context)) ?? PollSettings.defaultTime
    var failure = CheckFailure(
      .expectation, subject: "poll.until",
      message:
        "`\(Shown.cut(ConditionText.of(poll.until), 120))` did not hold within \(within.inWords), in \(Shown.count(attempts, "request"))",
      at: poll.until.range)
    failure.expected = "true"
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

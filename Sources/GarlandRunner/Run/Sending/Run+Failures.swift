import GarlandTransfer
import GarlandPlanner
import GarlandResults
import GarlandWorkflow
import Glibc

/// Ends steps whose request failed.
extension Run {
  func failed(_ step: ActiveStep, _ request: BuiltRequest, _ error: NetworkingError) {
    var ending: StepEnding
    let planned = plan.steps[step.index]
    if error.reason.kind == .cancelled, step.haltReason == nil, step.host.spared == nil { step.haltReason = reasonForEnding(planned) }
    guard !step.hasEnded else { return }
    let judged: (failures: [CheckFailure], count: Int)?
    do throws(EvaluationError) {
      let isExpected = planned.step.expectsError && step.haltReason == nil
      judged =
        isExpected
        ? try inTime(planned) { () throws(EvaluationError) in ErrorJudge.judge(error, for: planned.step, in: step.context) } : nil
    } catch let overdue {
      end(step, add(error, of: step, request, to: self.ending(for: overdue, of: planned)))
      return
    }
    if let judged {
      ending = StepEnding(judged.failures.isEmpty ? .passed : .failed, failures: judged.failures)
      ending.checkCount = judged.count
      if error.isUnreachable { ending.leavesNothing = !step.mayHaveLeft }
    } else if let reason = step.haltReason, error.reason.kind == .cancelled {
      ending = StepEnding(Self.outcome(haltedFor: reason), reason: Self.words(haltedFor: reason))
    } else if let failure = overdue(step, error) {
      ending = StepEnding(.failed, failures: [failure] + (step.repeating?.unmet ?? []))
    } else {
      let attempt = RequestAttempt(
        request: request.transfer, error: error, retryCount: step.repeating?.retries ?? 0,
        isBodyRepeatable: request.transfer.body.isRepeatable)
      let label = step.repeating?.label
      var afterthought: String?
      switch step.repeating?.decide(attempt) {
      case .again(let wait, let retry, let limit)? where mayGoOn(step):
        var exchange = recorder.exchange(of: request, error)
        exchange.label = label
        step.exchanges.append(exchange)
        step.incoming.stream = nil
        pause(step, for: wait, because: "retry \(retry) of \(limit) after an error: \(error.description)")
        return
      case .stands(let words)?: afterthought = words
      case .again?, nil: break
      }
      endUnanswered(step, request, error, afterthought)
      return
    }
    end(step, add(error, of: step, request, to: ending))
  }

  /// Returns the failure of the step's poll if the poll has reached its time limit; `error` is then the timeout of the poll's last request.
  /// Returns nil for any other error.
  private func overdue(_ step: ActiveStep, _ error: NetworkingError) -> CheckFailure? {
    guard error.reason.kind == .timeout, let repeating = step.repeating,
      let left = repeating.pollTimeLeft(at: step.times.clock.time(at: now)),
      left <= .milliseconds(5),
      let poll = plan.steps[step.index].step.flow.repetition.poll
    else { return nil }
    var failure = PollJudge(poll, step.context).overdue(attempts: repeating.requests)
    failure.help = "the last request had no response by then"
    return failure
  }

  /// Returns the result of a step whose last attempt failed. The result's message contains the cause if a probe has found one.
  func ending(
    of step: ActiveStep, _ request: BuiltRequest, _ error: NetworkingError, _ afterthought: String? = nil, _ report: ProbeReport? = nil
  ) -> StepEnding {
    // A request that can't be sent has invalid values, which is not a transfer error. A host is also not responsible for a local file.
    let isInvalid = error.reason.kind == .invalidRequest
    let outcome: Outcome = isInvalid ? .failed : error.reason.brokenFile == nil && error.isUnreachable ? .unreachable : .error
    var failure = CheckFailure.transport(error, report, plan.steps[step.index].step.request)
    step.incoming.items?.explain(&failure, for: error)
    var ending = StepEnding(outcome, reason: afterthought.map { "\(failure.message) (\($0))" } ?? failure.message)
    ending.leavesNothing = (isInvalid || error.isUnreachable) && !step.mayHaveLeft
    ending.failures = [failure]
    return add(error, of: step, request, to: ending)
  }

  /// Returns a copy of `ending` to which the exchanges of the step are added. The failed request is included only if a part of it was sent.
  private func add(_ error: NetworkingError, of step: ActiveStep, _ request: BuiltRequest, to ending: StepEnding) -> StepEnding {
    var ending = ending
    guard !error.isBeforeSending else {
      ending.exchanges = step.exchanges.kept
      return ending
    }
    var exchange = recorder.exchange(of: request, error)
    if let items = step.incoming.items { exchange.stream = items.summary }
    if ending.outcome != .notRun, configuration.explainsFailures { exchange.curlCommand = curlCommand(step, request) }
    exchange.label = step.repeating?.label
    ending.exchanges = step.exchanges.kept(and: exchange)
    return ending
  }

}

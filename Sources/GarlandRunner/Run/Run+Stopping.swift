import GarlandDiagnostics
import GarlandTransfer
import GarlandPlanner
import GarlandResults
import GarlandWorkflow

/// Ends the steps of a run that was stopped, both steps in progress and steps that have not begun.
extension Run {
  func stopped(_ reason: StopReason) {
    for run in logins.runs { run.assumeIsolated { $0.stop(reason) } }
    if case .failures = reason { summary.endedEarly(reason.earlyEnd) }
  }

  /// Counts a result. If the deadline ended the step or kept it from running, the run has ended early.
  ///
  /// If the deadline passes while only cleanups and `always` steps run, the run completes them and does not end early.
  func count(_ result: StepResult) {
    summary.count(result)
    guard result.outcome == .notRun || (result.isCutOff && !result.isFailureAllowed) else { return }
    if let reason = scheduler.stopReason, case .deadline = reason { summary.endedEarly(reason.earlyEnd) }
  }

  func halt(_ index: Int, _ leeway: Scheduler.Leeway) {
    if let loop = work.loops[index] {
      halt(loop, leeway)
      return
    }
    guard let step = work.steps[index] else {
      // The step waits for the observers and has done nothing yet.
      guard work.heldBack.contains(index), ledger.outcome(of: index) == nil else { return }
      work.heldBack.removeAll { $0 == index }
      end(ActiveStep(index: index, context: context(of: plan.steps[index])), StepEnding(.notRun, reason: stopWords))
      return
    }
    halt(step, leeway)
  }

  func halt(_ step: ActiveStep, _ leeway: Scheduler.Leeway) {
    if let called = calls.runs[ObjectIdentifier(step)] {
      if stage.isAborted {
        called.assumeIsolated { $0.aborted() }
        if !step.hasEnded { end(step, StepEnding(.notRun, reason: stopWords + " while the step ran")) }
      } else if let reason = scheduler.stopReason, !called.assumeIsolated({ $0.stage.isFinished }) {
        called.assumeIsolated { $0.post(.stop(reason, sparesTransfers: leeway == .untilTransferEnds)) }
      }
      return
    }
    if let held = step.held {
      haltHeld(step, held, cancelling: leeway != .untilEnd)
      return
    }
    if let judging = step.incoming.judging {
      guard stage.isAborted else {
        guard leeway != .untilEnd else { return }
        // The response has arrived and will be checked soon.
        step.haltReason = scheduler.stopReason
        judging.computation.shorten(to: HeavyWork.farewell)
        return
      }
      judging.computation.shorten(to: .zero)
      if case .file(let file) = judging.response.body { file.discard() }
      releaseSlot(of: step)
      end(step, StepEnding(.notRun, reason: stopWords + " while the step ran"))
      return
    }
    if step.handle != nil {
      if stage.isAborted {
        step.handle?.cancel()
        step.handle = nil
        releaseSlot(of: step)
        end(step, StepEnding(.notRun, reason: stopWords + " while the step ran"))
      } else if leeway == .notAtAll {
        step.haltReason = scheduler.stopReason
        step.handle?.cancel()
      } else if leeway == .untilTransferEnds {
        cutShort(step)
      }
      return
    }
    // With the leeway `untilEnd`, a step that has sent a request continues to its end, even if it pauses before its next request.
    guard leeway != .untilEnd || stage.isAborted || !step.hasSent else { return }
    step.timer?.cancel()
    // Otherwise the step's response has arrived and will be checked.
    let isWaiting = step.timer != nil || step.line.isWaiting
    let reason = step.hasSent ? stopWords + (isWaiting ? " while the step waited to send again" : " while the step ran") : stopWords
    var ending = StepEnding(.notRun, reason: reason)
    if case .deadline? = scheduler.stopReason, step.hasSent { ending.outcome = .error }
    end(step, ending)
  }

  /// When the run is stopped, ends the stream or the connection of a step that has a cleanup. If the stream continued, the cleanup might
  /// start only hours later. The cleanup can use the values that have arrived so far. If the step has not yet received a response, its
  /// request continues until the response arrives.
  private func cutShort(_ step: ActiveStep) {
    guard let handle = step.handle, let items = step.incoming.items else { return }
    step.haltReason = scheduler.stopReason
    items.stop(handle)
  }

  /// Returns the result of a step whose stream or messages ended early because the run was stopped. The result has the values that have
  /// arrived so far.
  func endingCutShort(
    _ step: ActiveStep, _ reason: StopReason, _ judgement: Judgement, _ makeEnding: (Judgement) -> StepEnding
  ) -> StepEnding {
    for value in judgement.extracted { value?.forEachSecret { configuration.redactor.register($0) } }
    var ending = makeEnding(Judgement(extracted: judgement.extracted))
    if let last = ending.exchanges.indices.last { ending.exchanges[last].stream = step.incoming.items?.summary }
    ending.outcome = Self.outcome(haltedFor: reason)
    ending.reason = Self.words(haltedFor: reason)
    return ending
  }

  /// Returns whether a step is stopped because the deadline of the run has passed. False for a step that continues after a stop, such as a
  /// cleanup.
  func isStoppedByDeadline(_ step: ActiveStep, _ planned: PlannedStep) -> Bool {
    guard case .deadline? = step.haltReason ?? scheduler.stopReason else { return false }
    return !goesOnAfterStop(planned)
  }

  /// Returns the outcome of a step that was cancelled because the run was stopped.
  static func outcome(haltedFor reason: StopReason) -> Outcome { if case .deadline = reason { .error } else { .notRun } }

  /// Returns the reason for which a step was cancelled, for reports.
  static func words(haltedFor reason: StopReason) -> String {
    if case .deadline = reason { reason.inWords } else { reason.inWords + " while the step ran" }
  }

  var stopWords: String { scheduler.stopReason?.inWords ?? "the run was ended at once" }

  /// Returns the text that is added to the message about an interrupted cleanup: it names the step whose data may remain on the server.
  /// Returns an empty text if no data can remain.
  func leftBehind(_ index: Int) -> String {
    let planned = plan.steps[index]
    guard let cleanup = planned.step.flow.cleanup, let cleaned = plan.step(cleanup.step, of: planned.workflowIndex) else { return "" }
    switch ledger.outcome(of: cleaned.index) {
    case .passed?, .failed?, .error?: return "; data of the step `\(cleaned.step.id)` may remain"
    case .unreachable?, .skipped?, .blocked?, .notRun?, nil: return ""
    }
  }

  // MARK: Ending without having begun

  func conclude(_ index: Int, _ conclusion: Scheduler.Conclusion) {
    let at = now
    var result: StepResult
    switch conclusion {
    case .blocked(let culprits, let root):
      result = StepResult(step: identities[index], outcome: .blocked, startedAt: at, endedAt: at)
      result.blockedBy = culprits.map { identities[$0] }
      result.reason = blockedWords(culprits, root)
    case .nothingToCleanUp(let cleaned):
      result = StepResult(step: identities[index], outcome: .skipped, startedAt: at, endedAt: at)
      result.reason = "nothing to clean up for \(standing(of: cleaned))"
    case .notRun(let reason):
      result = StepResult(step: identities[index], outcome: .notRun, startedAt: at, endedAt: at)
      result.reason = (reason?.inWords ?? "the run was ended at once") + leftBehind(index)
    }
    if ledger.readyAt(index) > .zero { result.readyAt = ledger.readyAt(index) }
    report(result, index)
  }

  private func blockedWords(_ culprits: [Int], _ root: Int) -> String {
    guard culprits.count == 1, let culprit = culprits.first else {
      return "needs " + culprits.map { standing(of: $0) }.joined(separator: ", and ")
    }
    let words = "needs \(standing(of: culprit))"
    return root == culprit ? words : words + " because the step `\(identities[root].id)` \(Outcome.words(for: ledger.outcome(of: root)))"
  }

  /// Returns a step's name and outcome: "the step `create`, which failed".
  func standing(of index: Int) -> String { "the step `\(identities[index].id)`, which \(Outcome.words(for: ledger.outcome(of: index)))" }

  /// After the run was stopped, ends a step that has begun but makes no progress (``HeldStep``).
  ///
  /// - A step whose request was not sent because its host is being probed (`parked`) always ends.
  /// - A listening step ends if the reason for the stop cancels running transfers (``StopReason/cancelsTransfers``).
  /// - Every step ends if `cancelling` is true or the run is aborted.
  func haltHeld(_ step: ActiveStep, _ held: HeldStep, cancelling: Bool) {
    switch held {
    case .parked: end(step, StepEnding(.notRun, reason: stopWords))
    case .diagnosed(let error, let afterthought):
      guard cancelling || stage.isAborted, let request = step.request else { return }
      end(step, ending(of: step, request, error, afterthought))
    case .offline, .working, .listening:
      // A listening step has sent nothing that a cleanup would have to wait for.
      let isListening = if case .listening = held { scheduler.stopReason?.cancelsTransfers == true } else { false }
      guard cancelling || stage.isAborted || isListening else { return }
      if case .deadline? = scheduler.stopReason, !stage.isAborted {
        end(step, StepEnding(.error, reason: stopWords))
      } else {
        end(step, StepEnding(.notRun, reason: stopWords + " while the step ran"))
      }
    }
  }
}

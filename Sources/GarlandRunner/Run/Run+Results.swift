import GarlandJSON
import GarlandPlanner
import GarlandResults
import GarlandWorkflow

/// Ends steps, and sends their results and other events to the observers.
extension Run {
  /// Ends a step in progress, or an item in progress of the step's loop.
  func end(_ step: ActiveStep, _ ending: StepEnding) {
    // If an interrupt has ended the evaluation, the run has already stopped the step.
    guard !step.hasEnded else { return }
    let index = step.index
    step.hasEnded = true
    step.timer?.cancel()
    step.timer = nil
    if let trial = step.host.trial { endTrial(trial, of: step) }
    if step.line.isWaiting {
      step.line.isWaiting = false
      step.item.loop?.inLine -= 1
    }
    work.steps[index] = nil
    if case .listening? = step.held { listeners.stopped(index, item: step.item.iteration) }
    step.held?.cancel()
    step.held = nil
    let planned = plan.steps[index]
    let endedAt = now
    var result = StepResult(
      step: identities[index], outcome: ending.outcome, startedAt: step.times.startedAt ?? endedAt, endedAt: endedAt)
    result.readyAt = step.item.loop == nil ? ledger.readyAt(index) : step.times.readyAt
    if step.times.delay > .zero { result.delay = step.times.delay }
    result.isFailureAllowed = planned.step.flow.allowFailure
    if ending.outcome == .error, isStoppedByDeadline(step, planned) { result.isCutOff = true }
    result.reason = ending.outcome == .notRun ? ending.reason.map { $0 + leftBehind(index) } : ending.reason
    result.blockedBy = ending.blockedBy.map { identities[$0] }
    result.failures = ending.failures
    result.checkCount = ending.checkCount
    if !ending.found.isEmpty { result.found = planned.step.awaited.map { _ in nil } + ending.found }
    result.exchanges = ending.exchanges.isEmpty ? step.exchanges.kept : ending.exchanges
    result.omittedRequests = step.exchanges.omittedRequests + ending.omittedRequests
    if detail.contains(.extracts) || ending.outcome.isProblem { result.extracted = shown(ending.extracted, of: planned.step) }
    let kept =
      ledger.isUsed(index)
      ? StoredStep(extracted: ending.extracted, response: ending.response, absence: absence(after: ending, of: planned.step)) : nil
    let leavesNothing = ending.leavesNothing ?? !step.hasSent
    if let loop = step.item.loop {
      result.iteration = step.item.label
      result.iterationIndex = step.item.iteration
      ended(step, of: loop, result, kept, leavesNothing: leavesNothing)
      return
    }
    ledger.keep(kept, of: index)
    self.kept.note(ending, of: planned)
    report(result, index)
    post(
      .ended(
        step: index,
        Scheduler.Ending(
          ending.outcome, isFailureAllowed: planned.step.flow.allowFailure, leavesNothing: leavesNothing, heldBytes: kept?.weight ?? 0)))
  }

  /// Returns extracted values as JSON text for reports. Secret values are masked, even if the redactor does not know them.
  private func shown(_ values: [Value?], of step: Step) -> [(name: String, value: String)] {
    zip(step.extractions, values).compactMap { extraction, value in
      value.map { (extraction.name.value, MemorySupply.isLimited ? Self.shownIfPossible($0.masked) : $0.masked.jsonText()) }
    }
  }

  /// Returns a value as JSON text. If the memory is too small for the value's text, the returned JSON text states the lack of memory
  /// instead.
  private static func shownIfPossible(_ value: JSONValue) -> String {
    let computation = Computation(limit: nil)
    let text = computation.run { value.jsonText() }
    return computation.shortage.map { StepResult.omitted(because: $0) } ?? text
  }

  private func absence(after ending: StepEnding, of step: Step) -> String? {
    switch ending.outcome {
    case .passed: step.expectsError ? "it expected an error" : nil
    case .failed: ending.response == nil && ending.extracted.isEmpty ? "it failed before anything was sent" : nil
    default: "it \(Outcome.words(for: ending.outcome))"
    }
  }

  /// Counts and reports a result, and releases the stored values that no other step needs any more.
  func report(_ result: StepResult, _ index: Int) {
    count(result)
    tell(.stepEnded(result))
    close(index, result.outcome)
  }

  /// Records that a step has ended, and releases the stored values that only this step needed.
  func close(_ index: Int, _ outcome: Outcome) {
    ledger.note(outcome, of: index)
    callerEnded(index, outcome)
    let released = ledger.release(after: index, outcome)
    if released > 0 { post(.released(bytes: released)) }
  }

  /// Sends an event to all observers.
  func tell(_ event: RunEvent) {
    for observer in configuration.observers { observer.receive(event) }
  }

  /// Tells the observers that the run begins (event `runStarted`).
  ///
  /// - Parameters:
  ///   - sendsNothing: see ``RunStart/sendsNothing``.
  ///   - load: see ``RunStart/load``.
  func announce(sendsNothing: Bool = false, load: LoadSettings? = nil) {
    guard !configuration.observers.isEmpty else { return }
    let graph = plan.graph
    let dependencies = plan.steps.map { planned in
      graph.predecessors(of: planned.index).compactMap { plan.isJoin(Int($0)) ? nil : Int($0) }
    }
    var start = RunStart(
      runID: configuration.series.id.text, startedAt: configuration.values.now(), steps: identities, dependencies: dependencies,
      concurrency: configuration.pace.isSerial ? 1 : configuration.pace.concurrency)
    start.perOrigin = configuration.pace.perOrigin
    start.isSerial = configuration.pace.isSerial
    start.sendsNothing = sendsNothing
    start.load = load
    start.rerunOptions = configuration.recording.rerunOptions
    if plan.makesUpData { start.seed = configuration.values.seed }
    start.shuffleSeed = configuration.pace.shuffleSeed
    start.shard = configuration.recording.shard
    if detail.contains(.sources) { start.sources = plan.steps.map { StepDefinition(of: $0) } }
    tell(.runStarted(start))
  }
}

import GarlandPlanner
import GarlandResults
import GarlandWorkflow

/// Executes the scheduler's actions, and sends events to the scheduler.
extension Run {
  func post(_ event: Scheduler.Event) {
    scheduler.handle(event, &queue.actions)
    carryOut()
  }

  /// Executes actions of the scheduler in order, and then the actions that result from them. If the run is already executing actions,
  /// appends the given actions to the queue instead.
  func perform(_ new: [Scheduler.Action]) {
    guard !queue.isBusy else {
      queue.actions.append(contentsOf: new)
      return
    }
    queue.isBusy = true
    for action in new { carryOut(action) }
    queue.isBusy = false
    carryOut()
  }

  /// Executes the actions in the queue. Actions that result from an action are appended to the queue, so that no method calls itself.
  private func carryOut() {
    guard !queue.isBusy else { return }
    queue.isBusy = true
    while let action = queue.next() { carryOut(action) }
    queue.isBusy = false
  }

  private func carryOut(_ action: Scheduler.Action) {
    switch action {
    case .ready(let step): becomeReady(step)
    case .begin(let step): begin(step)
    case .beginIteration(let step, let iteration): beginIteration(step, iteration)
    case .send(let step, let iteration, let origin): send(step, iteration, origin)
    case .conclude(let step, let conclusion): conclude(step, conclusion)
    case .halt(let step, let leeway): halt(step, leeway)
    case .borrow(let step, let iteration): borrow(step, iteration)
    case .handBack(let step): handBack(step)
    case .lend(let loan): lend(loan)
    case .stopped(let reason): stopped(reason)
    case .pause: transport.perform { self.assumeIsolated { $0.post(.proceed) } }
    case .finished:
      listeners.shutDown()
      // After the last step, the deadline only limits the wait for the tokens of `--print`.
      if configuration.prints.isEmpty { stage.deadlineTimer?.cancel() }
      if let whenFinished = stage.finish() { finishCalled(whenFinished) }
    }
  }

  private func becomeReady(_ index: Int) {
    ledger.noteReady(index, at: now)
    if detail.contains(.lifecycle) { tell(.stepReady(identities[index], at: ledger.readyAt(index))) }
  }

  // MARK: Beginning

  private func begin(_ index: Int) {
    guard !work.isWaitingForObservers, observersAreReady else {
      work.heldBack.append(index)
      waitForObservers()
      return
    }
    let planned = plan.steps[index]
    let context = context(of: planned)
    if let loop = planned.step.flow.loop {
      beginLoop(index, loop, planned, context)
    } else {
      let step = ActiveStep(index: index, context: context)
      work.steps[index] = step
      if !kept.isEmpty, let values = kept.values(of: index) {
        end(step, ending(withKept: values, planned))
      } else {
        begin(step, planned)
      }
    }
  }

  /// Returns the result of a step that sends no request, because its extracted values are taken from an earlier run.
  private func ending(withKept values: [Value?], _ planned: PlannedStep) -> StepEnding {
    let secrets = documents[planned.workflowIndex].services.secrets
    for value in values { value?.forEachSecret { secrets.register(secret: $0) } }
    var ending = StepEnding(.passed, reason: "result of the previous run")
    ending.extracted = values
    ending.leavesNothing = true
    return ending
  }

  /// Begins a step, or an item of a step's loop: evaluates the condition `when` of the step, fetches missing tokens, and then evaluates the
  /// delay and the URL of the request. If `when` itself uses a missing token, the tokens are fetched first.
  func begin(_ step: ActiveStep, _ planned: PlannedStep) {
    let missing = step.tokens.areFetched ? [] : missingTokens(of: step, planned)
    do throws(EvaluationError) {
      if let reason = try reasonOfSkipping(step, planned) {
        end(step, StepEnding(.skipped, reason: reason))
        return
      }
    } catch {
      // The condition itself may use a token.
      guard missing.isEmpty else {
        fetchTokens(missing, for: step, planned, then: .begin)
        return
      }
      end(step, ending(for: error, of: planned))
      return
    }
    if missing.isEmpty { prepare(step, planned) } else { fetchTokens(missing, for: step, planned, then: .prepare) }
  }

  private func reasonOfSkipping(_ step: ActiveStep, _ planned: PlannedStep) throws(EvaluationError) -> String? {
    guard let when = planned.step.flow.when else { return nil }
    return try inTime(planned) { () throws(EvaluationError) in
      try when.resolve(in: step.context) ? nil : ConditionText.reasonOfSkipping(when, in: step.context)
    }
  }

  /// Evaluates the URL of a step, and its settings for retries, polls and pages.
  func evaluateTarget(of step: ActiveStep, _ planned: PlannedStep) throws(EvaluationError) {
    try inTime(planned) { () throws(EvaluationError) in
      if let url = try StepURL(of: planned.step.action, in: step.context) { step.target.url = url }
      step.repeating = try Repeating(
        planned.step.flow.repetition, random: configuration.values.random, now: configuration.values.now, in: step.context)
    }
    if step.repeating != nil, planned.step.action.readsClock { step.changing.tape = RandomTape(configuration.values.random) }
  }

  /// Finds the origin to which a step sends its request, and requests a transfer slot for the step.
  func findOrigin(of step: ActiveStep, _ planned: PlannedStep) {
    // An origin that was known before the run need not be determined again.
    guard let origin = scheduler.origin(of: step.index) ?? origins.number(of: step.target.url.text), mayAsk(step, planned) else {
      end(step, StepEnding(.failed, failures: [CheckFailure(unusableURL: step.target.url.text, of: planned.step.request)]))
      return
    }
    step.target.origin = origin
    if !waitsForDelay(step) { lineUp(step) }
  }

  /// Pauses a step for its `delay`. Returns whether the step has a delay.
  func waitsForDelay(_ step: ActiveStep) -> Bool {
    guard let delay = step.repeating?.delay, delay > .zero else { return false }
    if step.item.loop == nil { post(.waits(step: step.index)) }
    pause(step, for: delay, because: "delay")
    return true
  }

  /// Requests a transfer slot for the next transfer of a step. If one of the step's tokens has expired, fetches a new token first.
  func lineUp(_ step: ActiveStep) {
    step.timer = nil
    if step.hasSent {
      step.times.clock.stop(at: now)
      // A token may have expired during a pause.
      if let planned = staleStep(step) {
        fetchTokens(missingTokens(of: step, planned), for: step, planned, then: .lineUp)
        return
      }
    }
    lineUpNow(step)
  }

  /// Requests a transfer slot for the next transfer of a step, without checking whether the step's tokens have expired.
  func lineUpNow(_ step: ActiveStep) {
    step.line.isWaiting = true
    step.item.loop?.inLine += 1
    post(.transferWanted(step: step.index, iteration: step.item.iteration, origin: step.target.origin, again: step.hasSent))
  }

  /// Pauses a step before its next transfer. During the pause, the step holds no transfer slot.
  func pause(_ step: ActiveStep, for duration: Duration, because reason: String) {
    if detail.contains(.lifecycle) {
      tell(.stepWaits(identities[step.index], iteration: step.iterationIndex, reason: reason, until: now + duration))
    }
    guard duration > .zero else {
      goOn(step)
      return
    }
    let pausedAt = now
    step.timer = transport.perform(after: duration) { [weak self] in
      self?.assumeIsolated { run in
        guard !step.hasEnded else { return }
        step.timer = nil
        if step.times.startedAt == nil { step.times.delay += run.now - pausedAt }
        run.goOn(step)
      }
    }
  }

  func context(of planned: PlannedStep) -> StepContext {
    let document = documents[planned.workflowIndex]
    let known = ledger.known(for: planned.index)
    let named = planned.step.references.lazy.filter { $0.member == .address }.map(\.target)
    let addresses = listeners.isEmpty ? [] : self.addresses(named: Array(named), of: planned.workflowIndex, for: planned)
    let place = UInt64(planned.step.ordinal + 1)
    guard let caller, !caller.shared.isEmpty else {
      return StepContext(document: document, known: known, addresses: addresses, callPlace: place)
    }
    // The values of steps in the calling document come from the calling run.
    let shared = caller.shared.map { StepContext.Known(step: $0.key, stored: $0.value) }
    return StepContext(document: document, known: known + shared, addresses: addresses, callPlace: place)
  }

  /// Returns whether a step may send a request to its URL. An HTTP URL is always allowed. Any other scheme, such as `file`, is allowed only
  /// if it is literal text in the document. If the scheme came from the value of an expression, a server could choose the scheme, and so
  /// get access to this machine's files.
  private func mayAsk(_ step: ActiveStep, _ planned: PlannedStep) -> Bool {
    guard let scheme = OtherScheme(of: step.target.url.text) else { return true }
    return planned.step.action.writes(scheme)
  }

  // MARK: Backpressure of observers

  var observersAreReady: Bool {
    for observer in configuration.observers where !observer.isReady { return false }
    return true
  }

  func waitForObservers() {
    guard !work.isWaitingForObservers else { return }
    work.isWaitingForObservers = true
    let observers = configuration.observers
    let transport = transport
    Task.detached {
      for observer in observers { await observer.waitUntilReady() }
      transport.perform { self.assumeIsolated { $0.observersCaughtUp() } }
    }
  }

  private func observersCaughtUp() {
    work.isWaitingForObservers = false
    // The steps begin one after another. While one of them begins, the run may be stopped, which ends the steps that are held back.
    work.heldBack.reverse()
    while !work.isWaitingForObservers, let index = work.heldBack.popLast() {
      if ledger.outcome(of: index) == nil { begin(index) }
    }
    work.heldBack.reverse()
    let loops = work.heldBackLoops
    work.heldBackLoops = []
    for loop in loops { beginItems(of: loop) }
  }
}

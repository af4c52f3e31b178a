import GarlandDiagnostics
import GarlandJSON
import GarlandTransfer
import GarlandPlanner
import GarlandResults
import GarlandWorkflow

/// Carries out what the scheduler says, and tells it what happened.
extension Run {
  func post(_ event: Scheduler.Event) {
    scheduler.handle(event, &actions)
    carryOut()
  }

  /// Carries actions out in order.
  func perform(_ new: [Scheduler.Action]) {
    actions.append(contentsOf: new)
    carryOut()
  }

  /// Carries out what waits for it. What that leads to is queued behind, so that nothing here calls itself.
  private func carryOut() {
    guard !isCarryingOut else { return }
    isCarryingOut = true
    var position = 0
    while position < actions.count {
      let action = actions[position]
      position += 1
      carryOut(action)
    }
    actions.removeAll(keepingCapacity: true)
    isCarryingOut = false
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
    case .pause: engine.perform { self.assumeIsolated { $0.post(.proceed) } }
    case .finished:
      isFinished = true
      listenServer?.shutDown()
      finishing?.resume()
      finishing = nil
      finishCalled()
    }
  }

  private func becomeReady(_ index: Int) {
    readyAt[index] = now
    if detail.contains(.lifecycle) { tell(.stepReady(identities[index], at: readyAt[index])) }
  }

  // MARK: Beginning

  private func begin(_ index: Int) {
    guard !isWaitingForObservers, observersAreReady else {
      heldBack.append(index)
      waitForObservers()
      return
    }
    let planned = plan.steps[index]
    let context = context(of: planned)
    if let loop = planned.step.flow.loop {
      beginLoop(index, loop, planned, context)
    } else {
      let step = ActiveStep(index: index, context: context)
      active[index] = step
      begin(step, planned)
    }
  }

  /// Evaluates what decides whether, when and where a step, or an item of its loop, sends.
  func begin(_ step: ActiveStep, _ planned: PlannedStep) {
    let missing = step.hasFetchedTokens ? [] : missingTokens(of: step, planned)
    do throws(EvaluationError) {
      if let reason = try reasonOfSkipping(step, planned) {
        end(step, Ending(.skipped, reason: reason))
        return
      }
    } catch {
      // The condition itself may look at a token.
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

  /// Evaluates where a step sends, and when. The tokens that it needs are there.
  func prepare(_ step: ActiveStep, _ planned: PlannedStep) {
    do throws(EvaluationError) {
      guard let request = planned.step.request else {
        try prepareCall(step, planned)
        return
      }
      try inTime(planned) { () throws(EvaluationError) in
        step.url = try StepURL(of: request, in: step.context)
        step.repeating = try Repeating(
          planned.step.flow.repetition, random: configuration.random, now: configuration.now, in: step.context)
      }
      if step.repeating != nil, request.readsClock { step.tape = RandomTape(configuration.random) }
    } catch {
      end(step, ending(for: error, of: planned))
      return
    }
    if planned.step.request?.reach != nil {
      guard let delay = step.repeating?.delay, delay > .zero else {
        goOn(step)
        return
      }
      if step.loop == nil { post(.waits(step: step.index)) }
      pause(step, for: delay, because: "delay")
      return
    }
    if let template = planned.step.request?.listen {
      listen(step, template, planned)
      return
    }
    // An origin that was known beforehand need not be found again.
    guard let origin = scheduler.origin(of: step.index) ?? origins.number(of: step.url.text), mayAsk(step, planned) else {
      end(step, ending(forUnusableURLOf: step, planned))
      return
    }
    step.origin = origin
    guard let delay = step.repeating?.delay, delay > .zero else {
      lineUp(step)
      return
    }
    if step.loop == nil { post(.waits(step: step.index)) }
    pause(step, for: delay, because: "delay")
  }

  /// Waits before a call if that is asked for. It holds no slot.
  private func prepareCall(_ step: ActiveStep, _ planned: PlannedStep) throws(EvaluationError) {
    let delay = try inTime(planned) { () throws(EvaluationError) in
      try planned.step.flow.repetition.delay?.resolve(in: step.context) ?? .zero
    }
    if step.loop == nil { post(.waits(step: step.index)) }
    guard delay > .zero else {
      goOn(step)
      return
    }
    pause(step, for: delay, because: "delay")
  }

  /// What a step does after a pause, or at once.
  private func goOn(_ step: ActiveStep) {
    step.timer = nil
    let planned = plan.steps[step.index]
    if let request = planned.step.request, let template = request.reach {
      reach(step, template, request, planned)
      return
    }
    guard let call = planned.step.call else {
      lineUp(step)
      return
    }
    beginCall(step, call)
  }

  /// Asks for a slot for the next transfer of a step.
  func lineUp(_ step: ActiveStep) {
    step.timer = nil
    if step.hasSent {
      step.clock.stop(at: now)
      // After a pause a token may have ended.
      if let planned = staleStep(step) {
        fetchTokens(missingTokens(of: step, planned), for: step, planned, then: .lineUp)
        return
      }
    }
    lineUpNow(step)
  }

  /// The same with whatever tokens there are.
  func lineUpNow(_ step: ActiveStep) {
    step.isInLine = true
    step.loop?.inLine += 1
    post(.transferWanted(step: step.index, iteration: step.iteration, origin: step.origin, again: step.hasSent))
  }

  /// Lets time pass before a step's next transfer. It holds no slot meanwhile.
  func pause(_ step: ActiveStep, for duration: Duration, because reason: String) {
    if detail.contains(.lifecycle) {
      tell(.stepWaits(identities[step.index], iteration: step.label, reason: reason, until: now + duration))
    }
    guard duration > .zero else {
      goOn(step)
      return
    }
    step.timer = engine.schedule(after: duration) { [weak self] in
      self?.assumeIsolated { run in
        guard !step.hasEnded else { return }
        run.goOn(step)
      }
    }
  }

  func context(of planned: PlannedStep) -> StepContext {
    let document = documents[planned.workflowIndex]
    let known = sources[planned.index].map { source in
      StepContext.Known(step: Int(source.ordinal), stored: stored[Int(source.index)])
    }
    let named = planned.step.references.lazy.filter { $0.member == .address }.map(\.target)
    let addresses = listeners.isEmpty ? [] : self.addresses(named: Array(named), of: planned.workflowIndex, for: planned)
    guard let caller, !caller.shared.isEmpty else { return StepContext(document: document, known: known, addresses: addresses) }
    // Steps of third documents have run where this one is called.
    let shared = caller.shared.map { StepContext.Known(step: $0.key, stored: $0.value) }
    return StepContext(document: document, known: known + shared, addresses: addresses)
  }

  /// Whether a URL is one of HTTP, or of another scheme that the document itself names.
  private func mayAsk(_ step: ActiveStep, _ planned: PlannedStep) -> Bool {
    guard let scheme = OtherScheme(of: step.url.text) else { return true }
    return planned.step.request?.writes(scheme) ?? false
  }

  private func ending(forUnusableURLOf step: ActiveStep, _ planned: PlannedStep) -> Ending {
    let template = planned.step.request?.url
    var failure = CheckFailure(.value, subject: "url", message: "is no URL that can be sent to", at: template?.range)
    do throws(URLReferenceError) {
      let reference = try URLReference(step.url.text)
      if reference.scheme == nil {
        failure.message = "is relative, and there is no `base_url`"
        failure.help = "write the whole URL, or `defaults: {base_url: https://…}`"
      } else if reference.scheme != "http", reference.scheme != "https" {
        failure.message = "has the scheme `\(reference.scheme ?? "")`, and only http and https can be sent to"
        if let scheme = OtherScheme(of: step.url.text) {
          failure.help = "where a step reads a `\(scheme.rawValue)` URL, its scheme is written out: no value can lead there"
        }
      }
    } catch {
      failure.message = "can't be used: \(error)"
    }
    failure.actual = step.url.text
    return Ending(.failed, failures: [failure])
  }

  // MARK: Observers that hold back

  var observersAreReady: Bool {
    for observer in configuration.observers where !observer.isReady { return false }
    return true
  }

  func waitForObservers() {
    guard !isWaitingForObservers else { return }
    isWaitingForObservers = true
    let observers = configuration.observers
    let engine = engine
    Task.detached {
      for observer in observers { await observer.waitUntilReady() }
      engine.perform { self.assumeIsolated { $0.observersCaughtUp() } }
    }
  }

  private func observersCaughtUp() {
    isWaitingForObservers = false
    // One after another: as one of them begins, the run may be stopped, and those that are held back end by that.
    heldBack.reverse()
    while !isWaitingForObservers, let index = heldBack.popLast() {
      if outcomes[index] == nil { begin(index) }
    }
    heldBack.reverse()
    let loops = heldBackLoops
    heldBackLoops = []
    for loop in loops { beginItems(of: loop) }
  }

  // MARK: Sending

  private func send(_ index: Int, _ iteration: Int, _ origin: Int) {
    if plan.steps[index].step.call != nil {
      grantSlot(iteration, origin)
      return
    }
    guard let step = active[index] ?? loops[index]?.active[iteration], step.isInLine else {
      // It was ended while it waited for its turn.
      post(.transferEnded(origin: origin))
      return
    }
    step.isInLine = false
    step.slot = HeldSlot(origin: origin)
    if let loop = step.loop { loop.inLine -= 1 }
    guard let caller else {
      transmit(step)
      return
    }
    caller.run.assumeIsolated { run in
      run.askForSlot(url: step.url.text, for: caller.step, again: step.hasSent) { origin in
        self.assumeIsolated { $0.slotGranted(to: step, origin) }
      }
    }
  }

  /// The run that called this one, or the one that called that, gives a slot.
  private func slotGranted(to step: ActiveStep, _ origin: Int?) {
    step.slot?.callersOrigin = origin
    guard !step.hasEnded else {
      releaseSlot(of: step)
      return
    }
    transmit(step)
  }

  /// Tells that a step, or an item of its loop, begins.
  func tellStart(of step: ActiveStep, at time: Duration, _ target: (method: String, url: String)? = nil) {
    var start = StepStart(at: time, iteration: step.label, itemCount: step.loop?.items.count)
    start.target = target
    tell(.stepStarted(identities[step.index], start))
  }

  /// Sends a request of a step that has a slot.
  private func transmit(_ step: ActiveStep) {
    let index = step.index
    let planned = plan.steps[index]
    guard !waitsForReplacement(step, planned) else { return }
    var request: BuiltRequest
    let isFirst = step.request == nil
    if let known = step.request, step.tape == nil {
      request = known
    } else {
      do throws(RequestRefusal) {
        guard let template = planned.step.request else { return }
        request = try inTime(planned) { () throws(RequestRefusal) in try makeRequest(of: step, template, planned) }
      } catch {
        releaseSlot(of: step)
        end(step, ending(for: error, of: planned))
        return
      }
      if isFirst, isHeldBack(step, request, planned) { return }
      for notice in request.notices where noticed.insert(notice.message).inserted { tell(.notice(notice)) }
      request.transfer.destination = destination(of: request, planned)
      request.shortSecrets = ShortSecrets(of: planned.step, documents[planned.workflowIndex])
      if let boundary = configuration.redirectBoundary { request.transfer.settings.redirectBoundary = boundary }
      step.request = request
    }
    // Whoever asks again until something has changed does not want what is stored.
    if !isFirst, planned.step.flow.repetition.poll != nil, request.transfer.settings.cachePolicy != .returnCacheOnly {
      request.transfer.settings.cachePolicy = .reload
    }
    var transfer: TransferRequest
    do throws(RequestRefusal) {
      transfer = try authenticated(request, step)
    } catch {
      releaseSlot(of: step)
      end(step, ending(for: error, of: planned))
      return
    }
    if request.isTraced { addTrace(to: &transfer, of: step) }
    let sentAt = now
    if step.startedAt == nil {
      step.startedAt = sentAt
      noteFirstRequest(of: step)
      step.loop?.startedAt = step.loop?.startedAt ?? sentAt
      if detail.contains(.lifecycle) {
        tellStart(of: step, at: sentAt, (transfer.method.rawValue, request.shortSecrets.masked(transfer.url)))
      }
    }
    step.hasSent = true
    step.clock.go(at: sentAt)
    let ownTime = step.clock.time(at: sentAt)
    step.repeating?.sent(at: ownTime)
    var progress: (@Sendable (GarlandTransfer.TransferProgress) -> Void)?
    if detail.contains(.progress) {
      progress = { [weak self] progress in self?.assumeIsolated { $0.progressed(step, progress) } }
    }
    if step.isSentAgainForConnectivity, let left = timeLeft(of: step, request) { transfer.settings.deadline = max(left, .milliseconds(1)) }
    // Nor does the request under way outlast the poll that it is of.
    if let left = step.repeating?.pollTimeLeft(at: ownTime) {
      let limit = max(left, .milliseconds(1))
      transfer.settings.deadline = min(transfer.settings.deadline ?? limit, limit)
    }
    step.handle = engine.start(transfer, progress: progress) { result in
      self.assumeIsolated { $0.received(step, result) }
    }
    // Another item may line up in its place.
    if let loop = step.loop { beginItems(of: loop) }
  }

  /// Makes the request of a step: once, or for each attempt if the request calls `now()`. All other values stay the same between attempts.
  private func makeRequest(
    of step: ActiveStep, _ template: RequestTemplate, _ planned: PlannedStep
  ) throws(RequestRefusal) -> BuiltRequest {
    guard let tape = step.tape else {
      return try builder.build(planned, template, url: step.url, jars: jars, caches: caches, traits(of: planned), in: step.context)
    }
    tape.rewind()
    let context = step.context.with(tape)
    do throws(EvaluationError) {
      step.url = try StepURL(of: template, in: context)
    } catch {
      throw .value(error)
    }
    var request = try builder.build(planned, template, url: step.url, jars: jars, caches: caches, traits(of: planned), in: context)
    guard let page = step.page, let pagination = planned.step.flow.repetition.pagination else { return request }
    request.transfer.url = page.url
    do throws(CheckFailure) {
      try page.changes?.apply(to: &request.transfer, pagination)
    } catch {
      throw .request(error)
    }
    return request
  }

  /// Gives back the slot that a transfer held.
  func releaseSlot(of step: ActiveStep) { giveBack(takeSlot(of: step)) }

  /// Takes from a step what its transfer held: whoever takes it has to give it back.
  func takeSlot(of step: ActiveStep) -> HeldSlot? {
    defer { step.slot = nil }
    return step.slot
  }

  /// Gives back a slot that was taken from a step.
  func giveBack(_ slot: HeldSlot?) {
    guard let slot else { return }
    if let origin = slot.callersOrigin, let caller { caller.run.assumeIsolated { $0.returnSlot(origin) } }
    post(.transferEnded(origin: slot.origin))
  }

  /// A body that nobody looks into need not be in memory, however large it is.
  private func destination(of request: BuiltRequest, _ planned: PlannedStep) -> TransferDestination {
    let needs = planned.step.neededByItself.union(planned.neededByOthers)
    guard request.transfer.destination == .memory, needs.isDisjoint(with: [.json, .text, .markup, .propertyList]),
      !printed.contains(planned.index)
    else {
      return request.transfer.destination
    }
    if isWholeBody(planned) { return wholeBodyDestination(computesDigest: needs.contains(.digest)) }
    let kept = max(configuration.keptBodyBytes, needs.contains(.beginning) ? ReceivedResponse.beginningLimit : 0)
    return .prefix(kept, computesDigest: needs.contains(.digest))
  }

  private func progressed(_ step: ActiveStep, _ progress: GarlandTransfer.TransferProgress) {
    guard !step.hasEnded, let startedAt = step.startedAt else { return }
    let now = now
    // The first tenth of a second tells nobody anything; nor does more than ten times a second.
    guard now - max(startedAt, step.progressAt) >= .milliseconds(100) else { return }
    step.progressAt = now
    tell(
      .stepProgressed(
        identities[step.index], iteration: step.label,
        GarlandResults.TransferProgress(
          bytesReceived: Int(progress.received), bytesExpected: progress.toReceive.map(Int.init), bytesSent: Int(progress.sent),
          bytesToSend: progress.toSend.map(Int.init))))
  }
}

import GarlandPlanner
import GarlandResults
import GarlandTransfer
import GarlandWorkflow
import HTTPTypes

/// Builds and sends the request of a step that holds a transfer slot.
extension Run {
  func send(_ index: Int, _ iteration: Int, _ origin: Int) {
    if plan.steps[index].step.call != nil {
      grantSlot(iteration, origin)
      return
    }
    guard let step = work.step(index, item: iteration), step.line.isWaiting else {
      // The step ended while it waited for its slot.
      post(.transferEnded(origin: origin))
      return
    }
    step.line.isWaiting = false
    step.line.slot = HeldSlot(origin: origin)
    if let loop = step.item.loop { loop.inLine -= 1 }
    guard let caller else {
      transmit(step)
      return
    }
    caller.run.assumeIsolated { run in
      run.askForSlot(url: step.target.url.text, for: caller.step, again: step.hasSent) { origin in
        self.assumeIsolated { $0.slotGranted(to: step, origin) }
      }
    }
  }

  /// Sends the request of a step in a called document, after the outermost run has granted a transfer slot to the step. If the step has
  /// ended in the meantime, releases the slot instead.
  private func slotGranted(to step: ActiveStep, _ origin: Int?) {
    step.line.slot?.callersOrigin = origin
    guard !step.hasEnded else {
      releaseSlot(of: step)
      return
    }
    transmit(step)
  }

  /// Tells the observers that a step, or an item of its loop, begins (event `stepStarted`).
  func tellStart(of step: ActiveStep, at time: Duration, _ target: (method: String, url: String)? = nil) {
    var start = StepStart(
      at: time, iteration: step.item.label, iterationIndex: step.iterationIndex, itemCount: step.item.loop?.places.count)
    start.target = target
    tell(.stepStarted(identities[step.index], start))
  }

  /// Sends a request of a step that holds a transfer slot.
  private func transmit(_ step: ActiveStep) {
    let planned = plan.steps[step.index]
    guard !waitsForReplacement(step, planned) else { return }
    do throws(RequestRefusal) {
      guard var request = try preparedRequest(of: step, planned) else { return }
      // A poll that waits for a change must not get a stored response.
      if step.hasSent, planned.step.flow.repetition.poll != nil, request.transfer.settings.cachePolicy != .returnCacheOnly {
        request.transfer.settings.cachePolicy = .reload
      }
      var transfer = try authenticated(request, step)
      if request.isTraced { addTrace(to: &transfer, of: step) }
      try KindDrivers.entry(for: planned.step.action).prepareItems(of: step, planned, &transfer, in: self)
      start(step, planned, request, &transfer)
    } catch {
      releaseSlot(of: step)
      end(step, ending(for: error, of: planned))
    }
  }

  /// Returns the request of a step. The request is built for the first attempt and then reused. Returns nil if the step ends without
  /// sending a request, or if it must wait before it sends its request.
  private func preparedRequest(of step: ActiveStep, _ planned: PlannedStep) throws(RequestRefusal) -> BuiltRequest? {
    if let known = step.request, step.changing.tape == nil { return known }
    guard let template = planned.step.request else { return nil }
    var request = try inTime(planned) { () throws(RequestRefusal) in try makeRequest(of: step, template, planned) }
    if step.request == nil, isHeldBack(step, request, planned) { return nil }
    for notice in request.notices where output.noticed.insert(notice.message).inserted { tell(.notice(notice)) }
    request.transfer.destination = destination(of: request, planned)
    request.shortSecrets = ShortSecrets(of: planned.step, documents[planned.workflowIndex])
    if let boundary = configuration.sending.redirectBoundary { request.transfer.settings.redirectBoundary = boundary }
    step.request = request
    return request
  }

  /// Sends a built request.
  private func start(_ step: ActiveStep, _ planned: PlannedStep, _ request: BuiltRequest, _ transfer: inout TransferRequest) {
    let sentAt = now
    if step.times.startedAt == nil {
      step.times.startedAt = sentAt
      noteFirstRequest(of: step)
      step.item.loop?.startedAt = step.item.loop?.startedAt ?? sentAt
      if detail.contains(.lifecycle) {
        tellStart(of: step, at: sentAt, (transfer.method.rawValue, request.shortSecrets.masked(transfer.url)))
      }
    }
    step.hasSent = true
    step.times.clock.go(at: sentAt)
    let ownTime = step.times.clock.time(at: sentAt)
    step.repeating?.sent(at: ownTime)
    if step.host.isSentAgainForConnectivity, let deadline = transfer.settings.deadline, let left = timeLeft(of: step, request) {
      transfer.usedTime = deadline - left
    }
    if let reader = step.incoming.stream, reader.reconnections > 0 { transfer.usedTime = reader.elapsed }
    // The current request must not last longer than the poll to which it belongs.
    if let left = step.repeating?.pollTimeLeft(at: ownTime) {
      let limit = max(left, .milliseconds(1))
      if transfer.settings.deadline.map({ $0 - transfer.usedTime > limit }) ?? true {
        transfer.settings.deadline = limit
        transfer.usedTime = .zero
      }
    }
    step.handle = KindDrivers.entry(for: planned.step.action).carryOut(step, planned, transfer, in: self)
    if step.incoming.stream != nil { limitStream(of: step) }
    // Another item may now wait for a slot.
    if let loop = step.item.loop { beginItems(of: loop) }
  }

  /// Sends the request of a step whose response is read as a whole or as a stream.
  func send(_ step: ActiveStep, _ planned: PlannedStep, _ transfer: TransferRequest) -> any SentTransfer {
    var progress: (@Sendable (GarlandTransfer.TransferProgress) -> Void)?
    if detail.contains(.progress) {
      progress = { [weak self] progress in self?.assumeIsolated { $0.progressed(step, progress) } }
    }
    return transport.send(transfer, until: transferStop(of: planned), progress: progress) { result in
      self.isolated { $0.received(step, result) }
    }
  }

  /// Builds the request of a step.
  ///
  /// A request that calls `now()` is built again for each attempt. All other requests are built only once, so that their values stay the
  /// same.
  private func makeRequest(
    of step: ActiveStep, _ template: RequestTemplate, _ planned: PlannedStep
  ) throws(RequestRefusal) -> BuiltRequest {
    guard let tape = step.changing.tape else {
      return try builder.build(
        planned, template, url: step.target.url, jars: stores.jars, caches: stores.caches, traits(of: planned), in: step.context)
    }
    tape.rewind()
    let context = step.context.with(tape)
    do throws(EvaluationError) {
      if let url = try StepURL(of: planned.step.action, in: context) { step.target.url = url }
    } catch {
      throw .value(error)
    }
    var request = try builder.build(
      planned, template, url: step.target.url, jars: stores.jars, caches: stores.caches, traits(of: planned), in: context)
    guard let page = step.changing.page, let pagination = planned.step.flow.repetition.pagination else { return request }
    request.transfer.url = page.url
    do throws(CheckFailure) {
      try page.changes?.apply(to: &request.transfer, pagination)
    } catch {
      throw .request(error)
    }
    return request
  }

  /// Releases the transfer slot that a step's transfer held.
  func releaseSlot(of step: ActiveStep) { giveBack(takeSlot(of: step)) }

  /// Removes the transfer slot from a step, and returns the slot. The caller must release it.
  func takeSlot(of step: ActiveStep) -> HeldSlot? {
    defer { step.line.slot = nil }
    return step.line.slot
  }

  /// Releases a transfer slot that `takeSlot(of:)` has removed from a step.
  func giveBack(_ slot: HeldSlot?) {
    guard let slot else { return }
    if let origin = slot.callersOrigin, let caller { caller.run.assumeIsolated { $0.returnSlot(origin) } }
    post(.transferEnded(origin: slot.origin))
  }

  /// Returns the destination of a response's body, such as memory or a file. If no check reads the body, only its beginning is kept in
  /// memory, since the body may be large.
  private func destination(of request: BuiltRequest, _ planned: PlannedStep) -> TransferDestination {
    let needs = planned.step.neededByItself.union(planned.neededByOthers)
    guard request.transfer.destination == .memory, needs.isDisjoint(with: [.json, .text, .markup, .propertyList]),
      !ledger.isPrinted(planned.index)
    else {
      return request.transfer.destination
    }
    if isWholeBody(planned) { return wholeBodyDestination(computesDigest: needs.contains(.digest)) }
    let kept = max(configuration.recording.keptBodyBytes, needs.contains(.beginning) ? ReceivedResponse.beginningLimit : 0)
    return .prefix(kept, computesDigest: needs.contains(.digest))
  }

  private func progressed(_ step: ActiveStep, _ progress: GarlandTransfer.TransferProgress) {
    guard !step.hasEnded, let startedAt = step.times.startedAt else { return }
    let now = now
    // Progress is reported only after the first tenth of a second, and at most ten times a second.
    guard now - max(startedAt, step.times.progressAt) >= .milliseconds(100) else { return }
    step.times.progressAt = now
    tell(
      .stepProgressed(
        identities[step.index], iteration: step.iterationIndex,
        GarlandResults.TransferProgress(
          bytesReceived: Int(progress.received), bytesExpected: progress.toReceive.map(Int.init), bytesSent: Int(progress.sent),
          bytesToSend: progress.toSend.map(Int.init), items: step.incoming.stream?.progress)))
  }
}

extension Run {
  /// Adds the header field `traceparent` with a new span for this attempt. The field is also added to the stored copy of the request, which
  /// a report shows if the transfer fails.
  func addTrace(to transfer: inout TransferRequest, of step: ActiveStep) {
    let parent = RunTrace(runID: configuration.series.traceID).parent(random: configuration.values.random())
    transfer.headerFields[.traceParent] = parent
    step.request?.transfer.headerFields[.traceParent] = parent
  }
}

import GarlandDiagnostics
import GarlandJSON
import GarlandPlanner
import GarlandResults
import GarlandWorkflow

/// Carries out `listen:` steps, which wait for a request.
///
/// Each listening step has a separate port. The port is opened before the first step of the run begins, so that every step can use the URL
/// of the listening step. The URL has exactly the path that the document contains, since providers compare the path of an OAuth redirect
/// exactly, but not its port (RFC 8252, section 7.3). If a request arrives before its listening step has begun, the server responds, and
/// the request is stored for the step.
private struct ListenDriver: KindDriver {
  func prepare(_ step: ActiveStep, _ planned: PlannedStep, in run: isolated Run) throws(EvaluationError) {
    guard case .listen(let template, _) = planned.step.action else { return }
    try run.evaluateTarget(of: step, planned)
    run.listen(step, template, planned)
  }

  /// A listening step has no pause.
  func goOn(_ step: ActiveStep, _ planned: PlannedStep, in run: isolated Run) {}

  /// All listening items may wait at once.
  func mostAtWork(in loop: ActiveLoop, of run: isolated Run) -> Int { loop.limit }
}

extension KindDrivers {
  static var listen: any KindDriver { ListenDriver() }
}

extension Run {
  /// Opens the ports of all listening steps. This function must be called before any step begins.
  func openPorts() {
    guard !listeners.isEmpty else { return }
    let transport = transport
    let limits = listeners.indexes.map { index in
      (index, Result { () throws(ListenError) in try bodyLimit(of: plan.steps[index]) })
    }
    listeners.open(limits) { [weak self] port, arrival in
      transport.perform { [weak self] in self?.assumeIsolated { $0.arrived(arrival, at: port) } }
    }
  }

  private func bodyLimit(of planned: PlannedStep) throws(ListenError) -> Int {
    guard let limit = planned.step.request?.transport.maxBody else { return ListenServer.defaultBodyLimit }
    do throws(EvaluationError) {
      return try inTime(planned) { () throws(EvaluationError) in
        Int(clamping: try limit.resolve(in: StepContext(document: documents[planned.workflowIndex], known: [])).bytes)
      }
    } catch {
      throw ListenError(error)
    }
  }

  /// Returns the URL of a listening step, or the URLs of all its items. The URL is evaluated at its first use.
  ///
  /// - Parameter user: the step that uses the URL; nil if the URL is used in an expression that is evaluated after all steps.
  func address(of index: Int, for user: PlannedStep?) -> Result<Value, ListenError> {
    if let known = listeners.address(of: index) { return known }
    let found: Result<Value, ListenError>
    do throws(ListenError) {
      let find = { () throws(ListenError) in try self.findAddress(of: index) }
      if let user {
        found = .success(try inTime(plan.steps[index], for: user, find))
      } else {
        found = .success(try atEnd(find))
      }
    } catch {
      // This failure is not stored, so that a cleanup after an interrupt evaluates the URL again.
      if error.outOfTime != nil, isOutOfTimeByNow { return .failure(error) }
      found = .failure(error)
    }
    listeners.setAddress(found, of: index)
    return found
  }

  private func findAddress(of index: Int) throws(ListenError) -> Value {
    let planned = plan.steps[index]
    guard let port = listeners.port(of: index), let request = planned.step.request else {
      throw ListenError(message: "it is not part of this run")
    }
    let number = try port.get()
    let (text, isSecret): (String, Bool)
    let itemCount: Int?
    do throws(EvaluationError) {
      (text, isSecret) = try request.evaluateURL(in: StepContext(document: documents[planned.workflowIndex], known: []))
    } catch {
      throw ListenError(error)
    }
    guard text.hasPrefix("/"), text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), !text.contains("?"), !text.contains("#") else {
      throw ListenError(message: "`\(Shown.cut(text, 80))` is not a path")
    }
    do throws(RequestRefusal) {
      itemCount = try planned.step.flow.loop.map { loop throws(RequestRefusal) in
        try LoopItems.evaluate(
          loop, directory: planned.workflow.directory, files: configuration.files, in: context(of: planned)
        ).count
      }
    } catch {
      throw error.evaluationError.map { ListenError($0) } ?? ListenError(message: error.diagnostic.message)
    }
    let path = ListenPath(text: text, itemCount: itemCount)
    listeners.setPath(path, of: index, at: number)
    func url(_ item: Int) -> String { "http://127.0.0.1:\(number)\(path.path(of: item))" }
    guard let itemCount else { return isSecret ? .secret(.string(url(0))) : .plain(.string(url(0))) }
    let urls = (0..<itemCount).map { isSecret ? Value.secret(.string(url($0))) : .plain(.string(url($0))) }
    return .list(of: urls)
  }

  /// Returns the URLs of the listening steps among the given steps.
  ///
  /// - Parameters:
  ///   - ordinals: the ordinals (indexes in the document) of the given steps.
  ///   - workflow: the index of their document.
  ///   - user: the step that uses the URLs; nil for values that are evaluated after all steps.
  func addresses(named ordinals: [Int], of workflow: Int, for user: PlannedStep?) -> [StepContext.Address] {
    guard !listeners.isEmpty else { return [] }
    return ordinals.compactMap { ordinal in
      guard let index = plan.step(ordinal, of: workflow)?.index, listeners.has(index) else { return nil }
      return StepContext.Address(step: ordinal, url: address(of: index, for: user))
    }
  }

  // MARK: Waiting

  /// Waits for the request that a step listens for. While it waits, the step holds no transfer slot and does not delay other steps.
  fileprivate func listen(_ step: ActiveStep, _ template: ListenTemplate, _ planned: PlannedStep) {
    let index = step.index
    post(.listens(step: index))
    do throws(EvaluationError) {
      step.times.listenLimit = try inTime(planned) { () throws(EvaluationError) in
        try template.within?.resolve(in: step.context) ?? ListenTemplate.defaultLimit
      }
    } catch {
      end(step, ending(for: error, of: planned))
      return
    }
    switch address(of: index, for: planned) {
    case .failure(let error):
      if let outOfTime = error.outOfTime { return end(step, ending(for: outOfTime, of: planned)) }
      end(step, StepEnding(.error, reason: "the step can't listen: \(error.message)"))
      return
    case .success(let value):
      let url =
        step.item.loop == nil ? value : value.elements.indices.contains(step.item.iteration) ? value.elements[step.item.iteration] : value
      step.target.url = StepURL(text: url.json.stringValue ?? "", isSecret: url.isTainted)
    }
    let startedAt = now
    step.times.startedAt = startedAt
    step.item.loop?.startedAt = step.item.loop?.startedAt ?? startedAt
    if detail.contains(.lifecycle) { tellStart(of: step, at: startedAt) }
    step.held = .listening
    switch listeners.begins(index, item: step.item.iteration) {
    case .take(let early): take(early, for: step)
    case .giveUp: endUnheard(step)
    case .count: beginToCount(step)
    case .wait: if detail.contains(.lifecycle) { tellOfWaiting(step) }
    }
  }

  private func tellOfWaiting(_ step: ActiveStep) {
    tell(
      .stepWaits(
        identities[step.index], iteration: step.iterationIndex, reason: "for a request to \(step.target.url.text)",
        until: now + step.times.listenLimit))
  }

  /// Starts the time limit of a listening step.
  private func beginToCount(_ step: ActiveStep) {
    guard step.timer == nil else { return }
    if detail.contains(.lifecycle) { tellOfWaiting(step) }
    step.timer = transport.perform(after: step.times.listenLimit) { [weak self] in
      self?.assumeIsolated { $0.heardNothing(step) }
    }
  }

  private func heardNothing(_ step: ActiveStep) {
    guard !step.hasEnded, let (path, strays) = listeners.expectation(of: step.index, item: step.item.iteration) else { return }
    var failure = CheckFailure(
      .expectation, subject: "request",
      message: "was expected at \(step.target.url.text), but did not arrive within \(step.times.listenLimit.inWords)",
      at: plan.steps[step.index].step.request?.url.range)
    failure.expected = "a request to \(path ?? step.target.url.text)"
    if !strays.isEmpty {
      failure.actual = strays.joined(separator: "\n")
      failure.help = "another request arrived and got an error: the sender must use exactly the URL `${\(identities[step.index].id).url}`"
    } else {
      failure.actual = "nothing"
      failure.help = "the sender must run on this machine: a container or another machine can't reach its 127.0.0.1"
    }
    var ending = StepEnding(.failed, failures: [failure])
    ending.checkCount = 1
    ending.leavesNothing = true
    end(step, ending)
  }

  /// Records that a step, or an item of its loop, sends its first request.
  ///
  /// A listening step may wait for a request that this step causes. The time limit of the listening step can start only after every item of
  /// this step has sent its first request.
  func noteFirstRequest(of step: ActiveStep) {
    guard listeners.isCalled(by: step.index), step.item.loop?.hasUnsent != true else { return }
    hasSent(step.index)
  }

  /// Records that a step has ended or has sent its first request. For a loop, every item must have sent its first request.
  ///
  /// The time limit of a listening step starts when this function has been called for every step that uses the URL of the listening step.
  private func hasSent(_ index: Int) {
    for waiting in listeners.hasSent(index) { for step in steps(waiting) { beginToCount(step) } }
  }

  /// Records that a step that uses the URL of a listening step has ended. The listening step stops waiting when all steps that use its URL
  /// have ended and none of them can have caused a request to the URL. For example, a skipped step cannot have caused one.
  func callerEnded(_ index: Int, _ outcome: Outcome) {
    guard listeners.isCalled(by: index) else { return }
    hasSent(index)
    let flow = plan.steps[index].step.flow
    let mayHaveCalled =
      switch outcome {
      case .passed: true
      case .failed, .error: flow.loop != nil || flow.allowFailure
      case .unreachable, .blocked, .skipped, .notRun: false
      }
    for waiting in listeners.ended(index, mayHaveCalled: mayHaveCalled) { for step in steps(waiting) { endUnheard(step) } }
  }

  private func steps(_ waiting: Listeners.Waiting) -> [ActiveStep] {
    waiting.items.compactMap { work.step(waiting.step, item: $0) }
  }

  private func endUnheard(_ step: ActiveStep) {
    let callers = listeners.callers(of: step.index)
    var ending = StepEnding(
      .blocked, reason: "the request can't arrive: it comes from " + callers.map { standing(of: $0) }.joined(separator: " and "))
    ending.blockedBy = callers
    ending.leavesNothing = true
    end(step, ending)
  }

  // MARK: Arriving

  private func arrived(_ arrival: ListenServer.Arrival, at port: Int) {
    guard !stage.isFinished, let index = listeners.step(at: port),
      let (item, arrival) = listeners.arrived(arrival, for: index, at: now, isKept: ledger.outcome(of: index) == nil),
      let step = work.step(index, item: item)
    else { return }
    take(arrival, for: step)
  }

  /// Checks the request that has arrived for a listening step.
  private func take(_ arrival: Listeners.Arrival, for step: ActiveStep) {
    guard !step.hasEnded else { return }
    listeners.stopped(step.index, item: step.item.iteration)
    step.timer?.cancel()
    step.timer = nil
    let planned = plan.steps[step.index]
    let origin = step.target.url.text.prefix { $0 != "/" } + "//" + (step.target.url.text.split(separator: "/").dropFirst().first ?? "")
    let view = ReceivedResponse(
      arrival.request, url: origin + arrival.request.target, time: max(.zero, arrival.at - (step.times.startedAt ?? arrival.at)),
      files: configuration.files.files)
    let context = step.context.with(view)
    guard HeavyWork.isNeeded(for: traits(of: planned), bodySize: view.size) else {
      heard(step, arrival, view, ResponseChecks.judge(view, for: planned.step, in: context))
      return
    }
    let transport = transport
    let snapshots = SnapshotRules(isUpdating: configuration.updatesSnapshots, redactor: configuration.redactor)
    let computation = Computation(patience: HeavyWork.longest)
    Task.detached {
      let judgement = computation.run {
        if planned.neededByOthers.contains(.json) { _ = try? view.json() }
        let judgement = ResponseChecks.judge(view, for: planned.step, in: context, snapshots: snapshots)
        return computation.hasEnded ? judgement : SnapshotWriter.settled(judgement)
      }
      transport.perform {
        self.assumeIsolated { run in
          guard !step.hasEnded else { return }
          for notice in judgement.notices { run.tell(.notice(notice)) }
          run.heard(step, arrival, view, judgement)
        }
      }
    }
  }

  private func heard(_ step: ActiveStep, _ arrival: Listeners.Arrival, _ view: ReceivedResponse, _ judgement: Judgement) {
    for value in judgement.extracted { value?.forEachSecret { configuration.redactor.register($0) } }
    var ending = StepEnding(CheckFailure.outcome(of: judgement.failures), failures: judgement.failures)
    // The arrival of the request counts as a check.
    ending.checkCount = judgement.checkCount + 1
    ending.found = judgement.found
    ending.extracted = judgement.extracted
    let needs = ledger.isPrinted(step.index) ? .everything : plan.steps[step.index].neededByOthers
    if ledger.isUsed(step.index) { ending.response = view.kept(for: needs) }
    var exchange = recorder.exchange(of: arrival.request, view, isComplete: ending.outcome != .passed)
    if isWholeBody(plan.steps[step.index]) { exchange.requestBody?.whole = .memory(arrival.request.body) }
    ending.exchanges = [exchange]
    ending.leavesNothing = true
    end(step, ending)
  }
}

import GarlandPlanner
import GarlandTransfer
import GarlandWorkflow

/// The actions of a run that differ between the kinds of steps: requests, forms, WebSocket connections, calls, and steps that listen or
/// wait for a host.
extension Run {
  /// Evaluates the delay and the URL of a step's request. The tokens that the step needs have already been fetched.
  func prepare(_ step: ActiveStep, _ planned: PlannedStep) {
    do throws(EvaluationError) {
      switch planned.step.action {
      case .request, .submit, .websocket:
        try evaluateTarget(of: step, planned)
        findOrigin(of: step, planned)
      case .reach:
        try evaluateTarget(of: step, planned)
        if !waitsForDelay(step) { goOn(step) }
      case .listen(let template, _):
        try evaluateTarget(of: step, planned)
        listen(step, template, planned)
      case .call: try prepareCall(step, planned)
      }
    } catch {
      end(step, ending(for: error, of: planned))
    }
  }

  /// Waits for the `delay` of a call, if the call has one. During the wait, the step holds no transfer slot.
  private func prepareCall(_ step: ActiveStep, _ planned: PlannedStep) throws(EvaluationError) {
    let delay = try inTime(planned) { () throws(EvaluationError) in
      try planned.step.flow.repetition.delay?.resolve(in: step.context) ?? .zero
    }
    if step.item.loop == nil { post(.waits(step: step.index)) }
    guard delay > .zero else {
      goOn(step)
      return
    }
    pause(step, for: delay, because: "delay")
  }

  /// Continues a step after its pause. A step without a pause is continued immediately.
  func goOn(_ step: ActiveStep) {
    step.timer = nil
    let planned = plan.steps[step.index]
    switch planned.step.action {
    case .request, .submit, .websocket: lineUp(step)
    case .reach(let template, let request): reach(step, template, request, planned)
    // A listening step has no pause.
    case .listen: break
    case .call(let call): beginCall(step, call)
    }
  }

  /// Prepares a step that receives items one by one: a stream or WebSocket messages. Does nothing for other steps, which read their
  /// response as a whole.
  func prepareItems(of step: ActiveStep, _ planned: PlannedStep, _ transfer: inout TransferRequest) throws(RequestRefusal) {
    switch planned.step.action {
    case .request, .submit: try readStream(of: step, planned, &transfer)
    case .websocket(let template, _): try makeTalk(template, of: step, planned, transfer)
    case .reach, .listen, .call: break
    }
  }

  /// Passes a request to the network, and returns the handle that cancels the request. Sends nothing and returns nil for a step with the
  /// key `reach`, `listen` or `call`.
  func carryOut(_ step: ActiveStep, _ planned: PlannedStep, _ transfer: TransferRequest) -> (any SentTransfer)? {
    switch planned.step.action {
    case .request, .submit: send(step, planned, transfer)
    case .websocket: converse(step, planned, transfer)
    case .reach, .listen, .call: nil
    }
  }

  /// Returns the maximum number of items that may run at the same time, including paused items.
  func mostAtWork(in loop: ActiveLoop) -> Int {
    if configuration.pace.isSerial || loop.isAlone { return 1 }
    let step = plan.steps[loop.index].step
    switch step.action {
    // A call does not wait for a slot itself, so the number of runs that calls start at the same time has its own limit.
    case .call: return min(loop.limit, configuration.pace.concurrency, 64)
    // All listening items may wait at once. The number of other items is limited, so that the use of memory is limited.
    case .listen: return loop.limit
    case .request, .submit, .websocket, .reach:
      return min(loop.limit, configuration.pace.concurrency.saturatingTimes(4).saturatingPlus(1_000))
    }
  }
}

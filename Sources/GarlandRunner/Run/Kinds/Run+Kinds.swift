import GarlandPlanner
import GarlandTransfer
import GarlandWorkflow

/// Carries out the steps of one kind. The defaults send the request of the step.
protocol KindDriver: Sendable {
  /// Evaluates the delay and the URL of a step's request. The tokens that the step needs have already been fetched.
  func prepare(_ step: ActiveStep, _ planned: PlannedStep, in run: isolated Run) throws(EvaluationError)

  /// Continues a step after its pause. A step without a pause is continued immediately.
  func goOn(_ step: ActiveStep, _ planned: PlannedStep, in run: isolated Run)

  /// Prepares a step that receives items one by one: a stream or WebSocket messages. Does nothing for other steps, which read their
  /// response as a whole.
  func prepareItems(
    of step: ActiveStep, _ planned: PlannedStep, _ transfer: inout TransferRequest, in run: isolated Run
  ) throws(RequestRefusal)

  /// Passes a request to the network, and returns the handle that cancels the request. Called only for steps that wait for a transfer slot.
  func carryOut(
    _ step: ActiveStep, _ planned: PlannedStep, _ transfer: TransferRequest, in run: isolated Run
  ) -> (any SentTransfer)?

  /// Returns the maximum number of items of a loop that may run at the same time, including paused items.
  func mostAtWork(in loop: ActiveLoop, of run: isolated Run) -> Int
}

extension KindDriver {
  func prepare(_ step: ActiveStep, _ planned: PlannedStep, in run: isolated Run) throws(EvaluationError) {
    try run.evaluateTarget(of: step, planned)
    run.findOrigin(of: step, planned)
  }

  func goOn(_ step: ActiveStep, _ planned: PlannedStep, in run: isolated Run) { run.lineUp(step) }

  func prepareItems(
    of step: ActiveStep, _ planned: PlannedStep, _ transfer: inout TransferRequest, in run: isolated Run
  ) throws(RequestRefusal) {
    try run.readStream(of: step, planned, &transfer)
  }

  func carryOut(
    _ step: ActiveStep, _ planned: PlannedStep, _ transfer: TransferRequest, in run: isolated Run
  ) -> (any SentTransfer)? {
    run.send(step, planned, transfer)
  }

  /// The number of items is limited, so that the use of memory is limited.
  func mostAtWork(in loop: ActiveLoop, of run: isolated Run) -> Int {
    min(loop.limit, run.configuration.pace.concurrency.saturatingTimes(4).saturatingPlus(1_000))
  }
}

/// Sends requests, also those that submit a form.
struct RequestDriver: KindDriver {}

/// The driver of each kind of step.
enum KindDrivers: KindTable {
  typealias Entry = any KindDriver

  static var request: any KindDriver { RequestDriver() }
  static var submit: any KindDriver { RequestDriver() }
}

/// The actions of a run that differ between the kinds of steps.
extension Run {
  /// Evaluates the delay and the URL of a step's request. The tokens that the step needs have already been fetched.
  func prepare(_ step: ActiveStep, _ planned: PlannedStep) {
    do throws(EvaluationError) {
      try KindDrivers.entry(for: planned.step.action).prepare(step, planned, in: self)
    } catch {
      end(step, ending(for: error, of: planned))
    }
  }

  /// Continues a step after its pause. A step without a pause is continued immediately.
  func goOn(_ step: ActiveStep) {
    step.timer = nil
    let planned = plan.steps[step.index]
    KindDrivers.entry(for: planned.step.action).goOn(step, planned, in: self)
  }

  /// Returns the maximum number of items that may run at the same time, including paused items.
  func mostAtWork(in loop: ActiveLoop) -> Int {
    if configuration.pace.isSerial || loop.isAlone { return 1 }
    return KindDrivers.entry(for: plan.steps[loop.index].step.action).mostAtWork(in: loop, of: self)
  }
}

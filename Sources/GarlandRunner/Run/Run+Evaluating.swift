import GarlandDiagnostics
import GarlandJSON
import GarlandPlanner
import GarlandResults
import GarlandWorkflow

/// Expressions that the engine's thread evaluates. Nothing else happens meanwhile, so each has to end in time.
extension Run {
  /// Evaluates what a step needs before it sends: until the step's own limit is over, or the run is stopped.
  func inTime<Value, Failure>(_ planned: PlannedStep, _ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    let transport = planned.step.request?.transport
    var patience = HeavyWork.longestBuilding
    if let deadline = transport?.deadline?.constant { patience = min(patience, deadline) }
    if let timeout = transport?.timeout?.constant { patience = min(patience, timeout) }
    guard !goesOnAfterStop(planned) else {
      // Only a second interrupt ends it.
      return try Computation(patience: patience, interrupt: configuration.interrupt, leeway: nil).run(body)
    }
    if let left = timeLeft { patience = min(patience, left) }
    return try Computation(patience: patience, interrupt: configuration.interrupt).run(body)
  }

  /// Evaluates what is made of steps that have ended. A run that was stopped waits for it a moment, since a cleanup may need it.
  func atEnd<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    let patience = timeLeft.map { min(max($0, HeavyWork.farewell), HeavyWork.longestBuilding) } ?? HeavyWork.longestBuilding
    return try Computation(patience: patience, interrupt: configuration.interrupt, leeway: HeavyWork.farewell).run(body)
  }

  /// Whether a step runs although the run was stopped, as a cleanup does: by itself, or because the step does that has called its document.
  private func goesOnAfterStop(_ planned: PlannedStep) -> Bool {
    if planned.runsAlways { return true }
    guard let caller else { return false }
    return caller.run.assumeIsolated { $0.goesOnAfterStop($0.plan.steps[caller.step.index]) }
  }

  /// The time until the run's deadline; of a called document's run, until that of the run that has called it.
  private var timeLeft: Duration? {
    caller.map { $0.run.assumeIsolated { $0.timeLeft } } ?? configuration.deadline.map { max(.zero, $0 - now) }
  }

  /// Why an evaluation was ended before the step's own limit was over, if it was. The run takes note of that at once: it might be over before the signal,
  /// or the timer, gets its turn.
  func reasonForEnding(_ planned: PlannedStep) -> StopReason? {
    let goesOn = goesOnAfterStop(planned)
    if let urgency = configuration.interrupt.urgency, urgency == .abort || !goesOn {
      let signal = SignalName.name(of: configuration.interrupt.signal)
      outermost { $0.interrupted(signal) }
      return .interrupt(signal: signal)
    }
    guard !goesOn, timeLeft == .zero else { return nil }
    return outermost { run in
      guard let deadline = run.configuration.deadline else { return nil }
      run.isOutOfTime(deadline)
      return .deadline(deadline)
    }
  }

  /// The run that no other has called.
  private func outermost<Value: Sendable>(_ body: @Sendable (isolated Run) -> Value) -> Value {
    guard let caller else { return body(self) }
    return caller.run.assumeIsolated { $0.outermost(body) }
  }
}

/// The signals that end a run, by their numbers, which are the same on every system that Garland runs on.
enum SignalName {
  private static let names: KeyValuePairs<Int32, String> = [1: "SIGHUP", 2: "SIGINT", 15: "SIGTERM"]

  static func name(of number: Int32) -> String { names.first { $0.key == number }?.value ?? "SIGINT" }

  static func number(of name: String) -> Int32 { names.first { $0.value == name }?.key ?? 0 }
}

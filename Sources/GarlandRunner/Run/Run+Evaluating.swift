import GarlandDiagnostics
import GarlandJSON
import GarlandPlanner
import GarlandResults
import GarlandTransfer
import GarlandWorkflow

/// Expressions that the engine's thread evaluates. Nothing else happens meanwhile, so each has to end in time.
extension Run {
  /// Evaluates the values of a step's request, until the step's own limit is over or the run is stopped.
  ///
  /// - Parameter user: the step that uses the values, which may be one that continues after a stop; nil: the step itself.
  func inTime<Value, Failure: EvaluationFailure>(
    _ planned: PlannedStep, for user: PlannedStep? = nil, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try complete(computation(of: planned, for: user ?? planned), at: planned.step.idRange, limit: { ownLimit(of: planned).words }, body)
  }

  /// The preparation of a step before it sends counts as well.
  func computation(of planned: PlannedStep, for user: PlannedStep) -> Computation {
    let patience = ownLimit(of: planned).duration
    // Only a second interrupt ends an evaluation for a cleanup.
    if goesOnAfterStop(user) { return Computation(patience: patience, interrupt: configuration.interrupt, leeway: nil) }
    return Computation(patience: timeLeft.map { min(patience, $0) } ?? patience, interrupt: configuration.interrupt)
  }

  /// Returns how long a step may evaluate its values, whether or not the run is stopped.
  private func ownLimit(of planned: PlannedStep) -> (duration: Duration, words: String) {
    let transport = planned.step.request?.transport
    var limit = (duration: HeavyWork.longestBuilding, words: "the longest time of \(HeavyWork.longestBuilding.inWords)")
    if let deadline = transport?.deadline?.constant, deadline < limit.duration {
      limit = (deadline, "the `deadline` of \(deadline.inWords)")
    }
    if let timeout = transport?.timeout?.constant, timeout < limit.duration { limit = (timeout, "the `timeout` of \(timeout.inWords)") }
    return limit
  }

  /// Does work that counts only if it was not ended: what was, may have given a value all the same, or a failure, and neither is right.
  private func complete<Value, Failure: EvaluationFailure>(
    _ computation: Computation, at place: SourceRange?, limit: () -> String, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let value: Value
    do throws(Failure) {
      value = try computation.run(body)
    } catch {
      guard computation.hasEnded else { throw error }
      let place = error.evaluationError?.diagnostic.range ?? place
      throw Failure(EvaluationError(.init(.outOfTime, "was not evaluated within \(limit())", at: place)))
    }
    guard !computation.hasEnded else {
      throw Failure(EvaluationError(.init(.outOfTime, "was not evaluated within \(limit())", at: place)))
    }
    return value
  }

  /// Evaluates what is made of steps that have ended. A run that was stopped waits for it a moment, since a cleanup may need it.
  func atEnd<Value, Failure: EvaluationFailure>(
    at place: SourceRange? = nil, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let patience = timeLeft.map { min(max($0, HeavyWork.farewell), HeavyWork.longestBuilding) } ?? HeavyWork.longestBuilding
    let computation = Computation(patience: patience, interrupt: configuration.interrupt, leeway: HeavyWork.farewell)
    return try complete(computation, at: place, limit: { "the longest time of \(patience.inWords)" }, body)
  }

  /// Whether what steps evaluate now is ended at once, unless they go on after a stop.
  var isOutOfTimeByNow: Bool { configuration.interrupt.urgency != nil || timeLeft == .zero }

  /// Whether a step runs although the run was stopped, as a cleanup does: by its own kind, or
  /// because the step that has called its document does.
  private func goesOnAfterStop(_ planned: PlannedStep) -> Bool {
    if planned.runsAlways { return true }
    guard let caller else { return false }
    return caller.run.assumeIsolated { $0.goesOnAfterStop($0.plan.steps[caller.step.index]) }
  }

  /// Returns the condition that ends a step's request while the engine's thread is busy with its
  /// response, and no other transfer gets a turn.
  func transferStop(of planned: PlannedStep) -> TransferStop {
    if goesOnAfterStop(planned) { return TransferStop(configuration.interrupt, at: .abort) }
    return TransferStop(configuration.interrupt, at: isCleanedUp(planned) ? .abort : .stop, after: timeLeft)
  }

  /// Whether a cleanup waits for a step's response, or for that of the step that has called its document.
  private func isCleanedUp(_ planned: PlannedStep) -> Bool {
    if planned.step.flow.cleanup != nil { return true }
    guard let caller else { return false }
    return caller.run.assumeIsolated { $0.isCleanedUp($0.plan.steps[caller.step.index]) }
  }

  /// The time until the run's deadline; of a called document's run, until that of the run that has called it.
  private var timeLeft: Duration? {
    caller.map { $0.run.assumeIsolated { $0.timeLeft } } ?? configuration.deadline.map { max(.zero, $0 - now) }
  }

  /// Returns why an evaluation was ended before the step's own limit, if it was. The run notes that
  /// at once: it might be over before the signal, or the timer, is handled.
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

import GarlandDiagnostics
import GarlandJSON
import GarlandPlanner
import GarlandResults
import GarlandTransfer
import GarlandWorkflow

/// Evaluation of expressions on the engine's thread. Nothing else happens meanwhile, so each evaluation has a time limit.
extension Run {
  /// Evaluates the values of a step's request, until the step's own time limit is exceeded or the run is stopped.
  ///
  /// - Parameter user: the step that uses the values; it may be a step that continues after a stop. If nil, it is the step itself.
  func inTime<Value, Failure: EvaluationFailure>(
    _ planned: PlannedStep, for user: PlannedStep? = nil, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try complete(computation(of: planned, for: user ?? planned), at: planned.step.idRange, limit: { ownLimit(of: planned).words }, body)
  }

  /// Returns the computation that limits the evaluation of a step's values. It also covers what is evaluated before the step sends.
  func computation(of planned: PlannedStep, for user: PlannedStep) -> Computation {
    let patience = ownLimit(of: planned).duration
    // Only a second interrupt ends an evaluation for a cleanup.
    if goesOnAfterStop(user) { return Computation(patience: patience, interrupt: configuration.interrupt, leeway: nil) }
    return Computation(patience: timeLeft.map { min(patience, $0) } ?? patience, interrupt: configuration.interrupt)
  }

  /// Returns the time limit for evaluating a step's values, whether the run is stopped or not.
  private func ownLimit(of planned: PlannedStep) -> EvaluationLimit {
    var limit = EvaluationLimit.longest
    if let deadline = planned.step.request?.transport.deadline?.constant, deadline < limit.duration { limit = .deadline(deadline) }
    if let timeout = planned.step.request?.transport.timeout?.constant, timeout < limit.duration { limit = .timeout(timeout) }
    return limit
  }

  /// Evaluates something, and rejects the result if the evaluation was interrupted. An interrupted evaluation may still have returned a
  /// value or a failure, but neither is reliable.
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

  /// Evaluates values that depend on steps that have ended. A stopped run waits a short time for them, since a cleanup may need them.
  func atEnd<Value, Failure: EvaluationFailure>(
    at place: SourceRange? = nil, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let patience = timeLeft.map { min(max($0, HeavyWork.farewell), HeavyWork.longestBuilding) } ?? HeavyWork.longestBuilding
    let computation = Computation(patience: patience, interrupt: configuration.interrupt, leeway: HeavyWork.farewell)
    return try complete(computation, at: place, limit: { "the time limit of \(patience.inWords)" }, body)
  }

  /// Whether evaluations of steps are ended at once, except those of steps that continue after a stop.
  var isOutOfTimeByNow: Bool { configuration.interrupt.urgency != nil || timeLeft == .zero }

  /// Whether a step runs although the run was stopped, as a cleanup does: because of its own kind, or because of the step that calls its
  /// document.
  private func goesOnAfterStop(_ planned: PlannedStep) -> Bool {
    if planned.runsAlways { return true }
    guard let caller else { return false }
    return caller.run.assumeIsolated { $0.goesOnAfterStop($0.plan.steps[caller.step.index]) }
  }

  /// Returns the condition that ends a step's request even while the engine's thread is busy with its response and no other transfer gets a
  /// turn.
  func transferStop(of planned: PlannedStep) -> TransferStop {
    if goesOnAfterStop(planned) { return TransferStop(configuration.interrupt, at: .abort) }
    return TransferStop(configuration.interrupt, at: isCleanedUp(planned) ? .abort : .stop, after: timeLeft)
  }

  /// Whether a cleanup needs the response of a step, or of the step that calls its document.
  private func isCleanedUp(_ planned: PlannedStep) -> Bool {
    if planned.step.flow.cleanup != nil { return true }
    guard let caller else { return false }
    return caller.run.assumeIsolated { $0.isCleanedUp($0.plan.steps[caller.step.index]) }
  }

  /// The time until the run's deadline; for the run of a called document, until that of the calling run.
  private var timeLeft: Duration? {
    caller.map { $0.run.assumeIsolated { $0.timeLeft } } ?? configuration.deadline.map { max(.zero, $0 - now) }
  }

  /// Returns the reason why an evaluation was interrupted before the step's own limit; nil if it was not. The run records the reason at
  /// once, since it might end before the signal or timer is handled.
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

  /// Calls `body` with the outermost run, which no other run has called.
  private func outermost<Value: Sendable>(_ body: @Sendable (isolated Run) -> Value) -> Value {
    guard let caller else { return body(self) }
    return caller.run.assumeIsolated { $0.outermost(body) }
  }
}

/// The signals that end a run, by their numbers. These are the same on every system that Garland supports.
enum SignalName {
  private static let names: KeyValuePairs<Int32, String> = [1: "SIGHUP", 2: "SIGINT", 15: "SIGTERM"]

  static func name(of number: Int32) -> String { names.first { $0.key == number }?.value ?? "SIGINT" }

  static func number(of name: String) -> Int32 { names.first { $0.value == name }?.key ?? 0 }
}

/// The time limit for evaluating a step's values. Its words are made only for a message, since every step has a limit.
private enum EvaluationLimit {
  /// The longest time for any step.
  case longest
  /// The step's `deadline`.
  case deadline(Duration)
  /// The step's `timeout`.
  case timeout(Duration)

  var duration: Duration {
    switch self {
    case .longest: HeavyWork.longestBuilding
    case .deadline(let duration), .timeout(let duration): duration
    }
  }

  var words: String {
    switch self {
    case .longest: "the longest time of \(HeavyWork.longestBuilding.inWords)"
    case .deadline(let duration): "the `deadline` of \(duration.inWords)"
    case .timeout(let duration): "the `timeout` of \(duration.inWords)"
    }
  }
}

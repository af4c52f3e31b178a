import GarlandDiagnostics
import GarlandJSON
import GarlandPlanner
import GarlandTransfer
import GarlandWorkflow

/// Evaluates expressions on the engine's thread. Since an evaluation blocks the thread, each evaluation has a time limit.
extension Run {
  /// Calls `body`, which evaluates values for the request of the step `planned`. The evaluation fails if it exceeds the step's time limit,
  /// or if the run is stopped.
  ///
  /// - Parameter user: the step that needs the values; nil if `planned` itself needs them. If a stop of the run does not end `user`, for
  ///   example a cleanup, the stop does not end the evaluation either.
  func inTime<Value, Failure: EvaluationFailure>(
    _ planned: PlannedStep, for user: PlannedStep? = nil, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let computation = computation(of: planned, for: user ?? planned)
    return try complete(computation, at: planned.step.idRange, limit: { evaluationLimit(of: planned).words }, body)
  }

  /// Returns the computation in which the values of the step `planned` are evaluated. It limits the total time of these evaluations,
  /// including those before the step sends its request.
  ///
  /// - Parameter user: the step that needs the values. If this step continues after a stop of the run, as a cleanup does, the stop does not
  ///   end the computation.
  func computation(of planned: PlannedStep, for user: PlannedStep) -> Computation {
    let patience = evaluationLimit(of: planned).duration
    // Only a second interrupt ends an evaluation for a cleanup.
    if goesOnAfterStop(user) { return Computation(patience: patience, interrupt: configuration.interrupt, leeway: nil) }
    return Computation(patience: timeLeft.map { min(patience, $0) } ?? patience, interrupt: configuration.interrupt)
  }

  /// Calls a function that evaluates a value. If the evaluation was interrupted, throws an error, even if the function has returned a
  /// value: a value or error after an interruption is not reliable.
  private func complete<Value, Failure: EvaluationFailure>(
    _ computation: Computation, at place: SourceRange?, limit: () -> String, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let value: Value
    do throws(Failure) {
      value = try computation.run(body)
    } catch {
      guard computation.hasEnded else { throw error }
      throw Failure(EvaluationError(endOf: computation, limit: limit, at: error.evaluationError?.diagnostic.range ?? place))
    }
    guard !computation.hasEnded else { throw Failure(EvaluationError(endOf: computation, limit: limit, at: place)) }
    return value
  }

  /// Evaluates values, such as outputs, that depend on steps that have ended. If the run was stopped, the evaluation still gets a short
  /// time, since a cleanup may need the values.
  func atEnd<Value, Failure: EvaluationFailure>(
    at place: SourceRange? = nil, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let patience = timeLeft.map { min(max($0, HeavyWork.farewell), HeavyWork.longestBuilding) } ?? HeavyWork.longestBuilding
    let computation = Computation(patience: patience, interrupt: configuration.interrupt, leeway: HeavyWork.farewell)
    return try complete(computation, at: place, limit: { "the time limit of \(patience.inWords)" }, body)
  }

  /// Whether evaluations end immediately, because the run was interrupted or its deadline has passed. The evaluations of steps that run
  /// even after a stop, such as cleanups, continue.
  var isOutOfTimeByNow: Bool { configuration.interrupt.urgency != nil || timeLeft == .zero }

  /// Whether a step runs even after the run was stopped, as a cleanup does. If such a step calls a document, the result is also true for
  /// all steps of that document.
  func goesOnAfterStop(_ planned: PlannedStep) -> Bool {
    if planned.runsAlways { return true }
    guard let caller else { return false }
    return caller.run.assumeIsolated { $0.goesOnAfterStop($0.plan.steps[caller.step.index]) }
  }

  /// Returns the condition under which a step's transfer ends before it is complete.
  ///
  /// Most transfers end if the run is interrupted or reaches its deadline. Two kinds of transfers end only if the run is aborted: those of
  /// steps that still run after an interrupt, such as cleanups, and those whose response a cleanup needs. The condition is checked even
  /// while the engine's thread decodes the body of the transfer, since a timer can't fire on this thread during the decoding.
  func transferStop(of planned: PlannedStep) -> TransferStop {
    if goesOnAfterStop(planned) || isCleanedUp(planned) { return TransferStop(configuration.interrupt, at: .abort) }
    return TransferStop(configuration.interrupt, at: .stop, after: timeLeft)
  }

  /// Returns whether a cleanup needs the response of a step. If so, the transfer of the step is completed even if the run is stopped. In a
  /// called document, the result is also true if a cleanup needs the response of the calling step.
  private func isCleanedUp(_ planned: PlannedStep) -> Bool {
    if scheduler.graph.cleanedSteps.contains(planned.index) { return true }
    guard let caller else { return false }
    return caller.run.assumeIsolated { $0.isCleanedUp($0.plan.steps[caller.step.index]) }
  }

  /// The time until the run's deadline; nil without a deadline. For the run of a called document, the deadline of the calling run applies.
  private var timeLeft: Duration? {
    caller.map { $0.run.assumeIsolated { $0.timeLeft } } ?? configuration.pace.timeLimit.map { max(.zero, $0 - now) }
  }

  /// Returns the reason why the run interrupted an evaluation: a signal or the run's deadline. Returns nil if the run did not interrupt the
  /// evaluation, for example because the step's own time limit did.
  ///
  /// This function also records the reason in the run. Otherwise, the run could end before it has handled the signal or the timer of the
  /// deadline.
  func reasonForEnding(_ planned: PlannedStep) -> StopReason? {
    let goesOn = goesOnAfterStop(planned)
    if let urgency = configuration.interrupt.urgency, urgency == .abort || !goesOn {
      let signal = SignalName.name(of: configuration.interrupt.signal)
      outermost { $0.interrupted(signal) }
      return .interrupt(signal: signal)
    }
    guard !goesOn, timeLeft == .zero else { return nil }
    return outermost { run in
      guard let deadline = run.configuration.pace.deadline else { return nil }
      run.isOutOfTime(deadline)
      return .deadline(deadline)
    }
  }

  /// Calls `body` with the outermost run: this run if no other run calls it, otherwise the first run in the chain of calling runs.
  private func outermost<Value: Sendable>(_ body: @Sendable (isolated Run) -> Value) -> Value {
    guard let caller else { return body(self) }
    return caller.run.assumeIsolated { $0.outermost(body) }
  }
}

/// The names of the signals that end a run, by number. The numbers are the same on every system that Garland supports.
enum SignalName {
  private static let names: KeyValuePairs<Int32, String> = [
    1: "SIGHUP", 2: "SIGINT", 15: "SIGTERM", 24: "SIGXCPU",
  ]

  static func name(of number: Int32) -> String { names.first { $0.key == number }?.value ?? "SIGINT" }

  static func number(of name: String) -> Int32 { names.first { $0.value == name }?.key ?? 0 }
}

/// The time limit for evaluating a step's values. Most steps never exceed their limit. Therefore the text that describes the limit is
/// created only if an error message contains this text.
enum EvaluationLimit {
  /// The limit is the default limit, since the step has no shorter `deadline` or `timeout`.
  case longest
  /// The limit is the `deadline` of the step.
  case deadline(Duration)
  /// The limit is the `timeout` of the step.
  case timeout(Duration)

  /// Creates the time limit for evaluating a step's values: the shortest of the default limit, the step's `deadline` and its `timeout`. A
  /// `deadline` or `timeout` that an expression computes is ignored.
  init(of step: Step) {
    self = .longest
    guard let settings = step.request?.transport else { return }
    if let deadline = settings.deadline?.constant, deadline < duration { self = .deadline(deadline) }
    if let timeout = settings.timeout?.constant, timeout < duration { self = .timeout(timeout) }
  }

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

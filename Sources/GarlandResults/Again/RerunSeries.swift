import GarlandDiagnostics
import Synchronization

/// Passes the events of a run, and of the later runs that carry out its failed steps again (`--rerun-failed`), to an observer as the events
/// of one run.
///
/// Results that did not pass are held back until it is known whether the step passes in a later run.
///
/// ```swift
/// let series = RerunSeries(pipeline)
/// configuration.observers = [series]
/// await run.start()
/// while let steps = series.next() { await again(steps).start() }
/// series.finish()
/// ```
package final class RerunSeries: RunObserver {
  /// The key of a result: the position of its step in the first run's plan, and the index of its loop item.
  private struct Key: Hashable {
    var step: Int
    var item: Int?
  }

  private struct State {
    /// The steps of the first run. Each key is the name of a step.
    var steps: [StepName: StepIdentity] = [:]
    /// The failed and blocked results that are not reported yet, since their steps may still pass in a later run. The list `order` contains
    /// the keys of these results in the order of their arrival.
    var held: [Key: StepResult] = [:]
    var order: [Key] = []
    /// The plan positions of the loops that begin for the first time in the current rerun, because they were blocked in all earlier runs.
    var begun: Set<Int> = []
    /// The failures in the current rerun that concern steps whose passed results are already reported. The key is such a step. The value is
    /// the failure of this step, or of another step that blocks this step.
    var relapses: [StepName: StepResult] = [:]
    /// For each result in ``held`` whose step a failure in ``relapses`` blocks in the current rerun, this failure. The keys are those of
    /// ``held``.
    var obstacles: [Key: StepResult] = [:]
    var notices = RepeatedNotices()
    var counted = RunSummary()
    var summaries: [RunSummary] = []
    /// The time at which the current run began, counted from the start of the first run.
    var offset = Duration.zero
    var isAgain: Bool { !summaries.isEmpty }
    /// Whether too many steps have failed, so that none of them runs again; see ``mostHeld``.
    var isHopeless = false
    var failsWhenFlaky = false
  }

  private let observer: any RunObserver
  private let state: Mutex<State>
  /// The maximum number of results that are held back until their steps, which did not pass, have run again. If there are more such
  /// results, no step runs again: so many failures are not a coincidence, and a rerun would not help.
  package static let mostHeld = 1_000

  /// Creates an observer that combines a run with its reruns.
  ///
  /// - Parameters:
  ///   - observer: receives the events of all runs as the events of one run.
  ///   - failsWhenFlaky: whether a flaky step makes the exit status 1.
  package init(_ observer: any RunObserver, failsWhenFlaky: Bool) {
    self.observer = observer
    state = Mutex(State(failsWhenFlaky: failsWhenFlaky))
  }

  /// The details, such as header fields and bodies, that the observer needs in the events of each run.
  package var detail: RunDetail { observer.detail }
  /// Whether the observer can receive more events now.
  package var isReady: Bool { observer.isReady }
  /// Waits until the observer can receive more events.
  package func waitUntilReady() async { await observer.waitUntilReady() }

  /// Receives the next event of the current run.
  package func receive(_ event: RunEvent) {
    // The events are sent after the lock is released.
    for event in state.withLock({ Self.take(event, &$0) }) { observer.receive(event) }
  }

  /// Returns the steps that did not pass and must run again, as indexes in the first run's plan.
  ///
  /// The result is nil if no step can run again, if too many steps failed (``mostHeld``), or if a run of the series was interrupted or
  /// stopped early.
  ///
  /// - Parameter elapsed: the time between the start of the first run and the start of the next run.
  package func next(at elapsed: Duration) -> [Int]? {
    state.withLock { state in
      guard !state.isHopeless, !state.held.isEmpty, let last = state.summaries.last, last.interruptedBy == nil,
        state.summaries.allSatisfy({ $0.stoppedEarly == nil })
      else { return nil }
      state.offset = elapsed
      state.begun = []
      state.relapses = [:]
      state.obstacles = [:]
      return Set(state.held.keys.map(\.step)).sorted()
    }
  }

  /// Whether so many steps have failed that a rerun would not help. If true, no step runs again.
  package var isHopeless: Bool { state.withLock { $0.isHopeless } }

  /// Sends the last events to the observer: a result for each step that passed in no run, then `problem` as a notice, then the end of the
  /// run.
  ///
  /// - Parameters:
  ///   - problem: the reason why a run could not begin, or nil if all runs began.
  ///   - signal: the signal that ended the series, perhaps between two runs.
  /// - Returns: the summary of the run.
  package func finish(_ problem: Diagnostic? = nil, signal: String? = nil) -> RunSummary {
    let (events, summary) = state.withLock { state in
      var events = Self.release(&state)
      var summary = Self.summary(state)
      summary.interruptedBy = summary.interruptedBy ?? signal
      if let problem {
        summary.fileErrors.append(problem)
        events.append(.notice(problem))
      }
      events.append(.runEnded(summary))
      return (events, summary)
    }
    for event in events { observer.receive(event) }
    return summary
  }

  // MARK: Events

  private static func take(_ event: RunEvent, _ state: inout State) -> [RunEvent] {
    switch event {
    case .runStarted(let start):
      guard !state.isAgain else { return [] }
      for step in start.steps { state.steps[StepName(step)] = step }
      return [event]
    case .stepEnded(let result): return state.isAgain ? takeAgain(result, &state) : takeFirst(result, &state)
    case .runEnded(let summary):
      state.summaries.append(summary)
      return []
    case .notice(let diagnostic): return state.notices.isNew(diagnostic) ? [event] : []
    case .loadProgressed: return [event]
    case .interrupted(let signal, let time): return [.interrupted(signal: signal, at: time + state.offset)]
    case .stepReady, .stepStarted, .stepProgressed, .stepWaits: return state.isAgain ? moved(event, state).map { [$0] } ?? [] : [event]
    }
  }

  private static func takeFirst(_ result: StepResult, _ state: inout State) -> [RunEvent] {
    let isWrong = result.outcome == .blocked || (result.outcome.isProblem && !result.isFailureAllowed)
    guard isWrong, !state.isHopeless else {
      state.counted.count(result)
      return [.stepEnded(result)]
    }
    let key = Key(step: result.step.index, item: result.iterationIndex)
    if state.held.updateValue(result, forKey: key) == nil { state.order.append(key) }
    guard state.held.count > mostHeld else { return [] }
    state.isHopeless = true
    return release(&state)
  }

  /// Processes the result of a step in a rerun.
  ///
  /// - If the step's earlier result did not pass, the new result may replace it (``replaces(_:_:)``).
  /// - If the earlier result passed, it stays unchanged. A failure of the step in the rerun is only recorded
  ///   (``recordRelapse(_:_:isOpen:_:)``).
  private static func takeAgain(_ result: StepResult, _ state: inout State) -> [RunEvent] {
    guard let step = state.steps[StepName(result.step)] else { return [] }
    let key = Key(step: step.index, item: result.iterationIndex)
    var result = result
    if key.item != nil, state.held.removeValue(forKey: Key(step: step.index, item: nil)) != nil { state.begun.insert(step.index) }
    let isOpen = state.held[key] != nil || state.begun.contains(step.index)
    recordRelapse(result, key, isOpen: isOpen, &state)
    guard isOpen else { return [] }
    guard let before = state.held[key] else {
      result = result.shifted(by: state.offset)
      result.step = step
      return takeFirst(result, &state)
    }
    guard replaces(result, before) else { return [] }
    result = result.shifted(by: state.offset)
    result.step = step
    result.endsStep = before.endsStep
    result.earlier = before.earlier
    if before.outcome.isProblem {
      var failed = before
      failed.earlier = []
      result.earlier.append(failed)
    }
    guard !result.outcome.isProblem else {
      state.held[key] = result
      return []
    }
    state.held[key] = nil
    state.counted.count(result)
    return [.stepEnded(result)]
  }

  /// Records the failure of a step that passed before, and the steps that this failure blocks in the same rerun.
  ///
  /// The failed step itself stays passed, since its result is already reported. If the failure blocks a step that has never run, the
  /// failure becomes the result of the blocked step (``obstructed(_:by:)``). If that step were only blocked, the run would have the exit
  /// status 0 although nothing checked the step.
  ///
  /// - Parameter isOpen: whether the result may become the reported result of the step. If false, a result that passed is already
  ///   reported.
  private static func recordRelapse(_ result: StepResult, _ key: Key, isOpen: Bool, _ state: inout State) {
    if result.outcome == .blocked {
      let relapses = state.relapses
      guard let cause = result.blockedBy.lazy.compactMap({ relapses[StepName($0)] }).first else { return }
      if isOpen { state.obstacles[key] = cause } else { state.relapses[StepName(result.step)] = cause }
    } else if !isOpen, result.outcome.isProblem, !result.isFailureAllowed {
      state.relapses[StepName(result.step)] = result
    }
  }

  /// Converts the result of a blocked step into a failure. The step that blocked it had passed before, but failed in the last rerun.
  ///
  /// - Parameter cause: the failure in the last rerun. The converted result has the same outcome, and therefore leads to the same exit
  ///   status.
  private static func obstructed(_ blocked: StepResult, by cause: StepResult) -> StepResult {
    var result = blocked
    let reason = "needs the step `\(cause.step.id)`, which passed before, but not in the last rerun"
    result.outcome = cause.outcome
    result.blockedBy = []
    result.reason = cause.failures.isEmpty ? cause.reason.map { "\(reason): \($0)" } ?? reason : nil
    result.failures = cause.failures.map { failure in
      var failure = failure
      failure.message = "\(reason): \(failure.sentence)"
      failure.subject = ""
      return failure
    }
    return result
  }

  /// Returns whether the result of a step in a rerun replaces the step's earlier result.
  ///
  /// - If the step ran to its end in the rerun, its result replaces the earlier result. This includes failures and errors.
  /// - If the rerun's deadline stopped the step, or if the step was skipped or not run, its result replaces only a blocked result. For
  ///   example, a cleanup is skipped if its step does not run.
  /// - If the step was blocked, the earlier result is kept.
  private static func replaces(_ result: StepResult, _ before: StepResult) -> Bool {
    switch result.outcome {
    case .passed, .failed, .unreachable: true
    case .error: !result.isCutOff || before.outcome == .blocked
    case .skipped, .notRun: before.outcome == .blocked
    case .blocked: false
    }
  }

  private static func release(_ state: inout State) -> [RunEvent] {
    let results = state.order.compactMap { key -> StepResult? in
      guard let result = state.held[key], result.outcome == .blocked, let cause = state.obstacles[key] else { return state.held[key] }
      return obstructed(result, by: cause)
    }
    state.held = [:]
    state.order = []
    for result in results { state.counted.count(result) }
    return results.map { .stepEnded($0) }
  }

  /// Converts an event of a rerun for the reports of the first run. The copy contains the step's position in the first run, and times since
  /// the start of the first run. Returns nil if these reports do not need the event, for example because the first run had no such step.
  private static func moved(_ event: RunEvent, _ state: State) -> RunEvent? {
    func known(_ step: StepIdentity, _ item: Int?) -> StepIdentity? {
      guard let own = state.steps[StepName(step)] else { return nil }
      let isHeld = [item, nil].contains { state.held[Key(step: own.index, item: $0)] != nil }
      return item == nil || isHeld || state.begun.contains(own.index) ? own : nil
    }
    switch event {
    case .stepStarted(let step, var start):
      guard let own = known(step, start.iterationIndex) else { return nil }
      guard state.begun.contains(own.index) || state.held.keys.contains(where: { $0.step == own.index }) else { return nil }
      start.time += state.offset
      return .stepStarted(own, start)
    case .stepProgressed(let step, let item, let progress):
      return known(step, item).map { .stepProgressed($0, iteration: item, progress) }
    case .stepWaits(let step, let item, let reason, let time):
      return known(step, item).map { .stepWaits($0, iteration: item, reason: reason, until: time + state.offset) }
    default: return nil
    }
  }

  private static func summary(_ state: State) -> RunSummary {
    var summary = state.counted
    summary.failsWhenFlaky = state.failsWhenFlaky
    summary.wallTime = state.offset + (state.summaries.last?.wallTime ?? .zero)
    summary.requestCount = state.summaries.reduce(0) { $0 + $1.requestCount }
    summary.sumOfStepTimes = state.summaries.reduce(.zero) { $0 + $1.sumOfStepTimes }
    summary.interruptedBy = state.summaries.lazy.compactMap(\.interruptedBy).first
    summary.stoppedEarly = state.summaries.lazy.compactMap(\.stoppedEarly).first
    summary.refusal = state.summaries.lazy.compactMap(\.refusal).first
    summary.isOutOfTime = state.summaries.contains { $0.isOutOfTime }
    summary.fileErrors = state.summaries.last?.fileErrors ?? []
    return summary
  }
}

import GarlandDiagnostics
import Synchronization

/// Passes the events of a run, and of the later runs that carry out its failed steps again (`--rerun-failed`), to an observer as the events
/// of one run.
///
/// Results that did not pass are held back until it is known whether the step passes in a later run. So are the results of steps that were
/// skipped after a failure, since such a step may run for the first time in a later run.
///
/// ```swift
/// let series = RerunSeries(pipeline)
/// configuration.observers = [series]
/// await run.start()
/// while let steps = series.next() { await again(steps).start() }
/// series.finish()
/// ```
package final class RerunSeries: RunObserver {
  private struct State {
    /// The steps of the first run. Each key is the name of a step.
    var steps: [StepName: StepIdentity] = [:]
    /// The results that are not reported yet, since their steps may still run or pass in a later run.
    var held = HeldResults()
    /// The plan positions of the loops whose items begin for the first time in the current rerun, because the loops were blocked, skipped, or
    /// failed as a whole in all earlier runs.
    var begun: Set<Int> = []
    /// The failures, in the current rerun, of steps whose earlier results passed and are already reported.
    var relapses = Relapses()
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
  /// The maximum number of results that are held back because their steps did not pass. If more steps have not passed, no step runs again:
  /// so many failures are not a coincidence, and a rerun would not help.
  ///
  /// The results of skipped steps are also held back: at most one for each step of the plan. Of the results of skipped loop items, at most
  /// as many as this number are held back, so that the memory does not grow with the number of items.
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
      guard !state.isHopeless, state.held.rerunCount > 0, state.summaries.allSatisfy({ $0.earlyEnd == nil }) else { return nil }
      state.offset = elapsed
      state.begun = []
      state.relapses = Relapses()
      return state.held.stepsToRerun
    }
  }

  /// Whether so many steps have failed that a rerun would not help. If true, no step runs again.
  package var isHopeless: Bool { state.withLock { $0.isHopeless } }

  /// Sends the last events to the observer: a result for each step that passed in no run, then `problem` as a notice, then the end of the
  /// run.
  ///
  /// - Parameters:
  ///   - problem: the reason why a run could not begin, or nil if all runs began.
  ///   - early: the reason why the series ended early, perhaps between two runs; nil if it did not.
  /// - Returns: the summary of the run.
  package func finish(_ problem: Diagnostic? = nil, early: EarlyEnd? = nil) -> RunSummary {
    let (events, summary) = state.withLock { state in
      var events = Self.release(&state)
      var summary = Self.summary(state)
      summary.earlyEnd = EarlyEnd.main(of: [summary.earlyEnd, early])
      if let problem {
        summary.runErrors.append(problem)
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

  /// Processes the result of a step in the first run.
  private static func takeFirst(_ result: StepResult, _ state: inout State) -> [RunEvent] {
    // A step that is skipped before any failure is skipped for another reason.
    let isSkippedAnyway = result.outcome == .skipped && state.held.rerunCount == 0
    guard !HeldResults.isFinal(result), !isSkippedAnyway else { return report(result, &state) }
    return hold(result, HeldResults.Key(result.step, item: result.iterationIndex), &state)
  }

  private static func report(_ result: StepResult, _ state: inout State) -> [RunEvent] {
    state.counted.count(result)
    return [.stepEnded(result)]
  }

  private static func hold(_ result: StepResult, _ key: HeldResults.Key, _ state: inout State) -> [RunEvent] {
    let isItemTooMany = key.item != nil && result.outcome == .skipped && state.held.idleItemCount >= mostHeld
    guard !state.isHopeless, !isItemTooMany else {
      state.held.remove(key)
      return report(result, &state)
    }
    state.held.hold(result, at: key)
    guard state.held.rerunCount > mostHeld else { return [] }
    state.isHopeless = true
    return release(&state)
  }

  /// Processes the result of a step in a rerun. If the step's earlier result is held, the new result may replace it (``replaces(_:_:)``).
  /// An earlier result that is already reported stays unchanged, and a failure in its place is only recorded (``Relapses``).
  private static func takeAgain(_ result: StepResult, _ state: inout State) -> [RunEvent] {
    guard let step = state.steps[StepName(result.step)] else { return [] }
    var result = result.shifted(by: state.offset)
    result.step = step
    result.blockedBy = result.blockedBy.map { state.steps[StepName($0)] ?? $0 }
    let key = HeldResults.Key(step, item: result.iterationIndex)
    let whole = HeldResults.Key(step, item: nil)
    if key.item != nil, state.held[whole] != nil { state.begun.insert(step.index) }
    guard state.held[key] != nil || state.begun.contains(step.index) else {
      state.relapses.record(result)
      return []
    }
    if let before = state.held[key] {
      guard replaces(result, before) else { return [] }
      result.endsStep = before.endsStep
      result.earlier = earlier(before)
    }
    if key.item != nil, let before = state.held[whole], replaces(result, before) {
      // The first item that runs has the failure of the whole loop as an earlier result, so that the failure is reported once.
      state.held.remove(whole)
      result.earlier = earlier(before) + result.earlier
    }
    guard HeldResults.isFinal(result) else { return hold(result, key, &state) }
    state.held.remove(key)
    return report(result, &state)
  }

  /// Returns the results that a step had before its last run, given the held result of that step: its earlier results, and the held result if
  /// it is a failure.
  private static func earlier(_ before: StepResult) -> [StepResult] {
    guard before.outcome.isProblem else { return before.earlier }
    var failed = before
    failed.earlier = []
    return before.earlier + [failed]
  }

  /// Returns whether the result of a step in a rerun replaces the step's held result.
  ///
  /// - If the step ran to its end in the rerun, its result replaces the held result. This includes failures and errors.
  /// - If the deadline stopped the step in the rerun, its result does not replace a failure.
  /// - If the step was skipped, blocked or not run in the rerun, its result replaces only that of a step that was blocked or not run. For
  ///   example, a cleanup is skipped if its step does not run.
  private static func replaces(_ result: StepResult, _ before: StepResult) -> Bool {
    switch result.outcome {
    case .passed, .failed, .unreachable: true
    case .error: !result.isCutOff || !before.outcome.isProblem
    case .skipped, .notRun, .blocked: before.outcome == .blocked || before.outcome == .notRun
    }
  }

  /// Removes the held results, and returns the events that report them.
  private static func release(_ state: inout State) -> [RunEvent] {
    let results = state.held.inOrder
    let isStoppedByFailures = state.summaries.last?.earlyEnd?.cause == .failures
    let causes = state.relapses.causes(of: results, isStoppedByFailures: isStoppedByFailures)
    state.held = HeldResults()
    return zip(results, causes).flatMap { result, cause in report(cause.map { Relapses.failure(of: result, $0) } ?? result, &state) }
  }

  /// Converts an event of a rerun for the reports of the first run. The copy contains the step's position in the first run, and times since
  /// the start of the first run. Returns nil if these reports do not need the event, for example because the first run had no such step.
  private static func moved(_ event: RunEvent, _ state: State) -> RunEvent? {
    func known(_ step: StepIdentity, _ item: Int?) -> StepIdentity? {
      guard let own = state.steps[StepName(step)] else { return nil }
      let isHeld = [item, nil].contains { state.held[HeldResults.Key(own, item: $0)] != nil }
      return item == nil || isHeld || state.begun.contains(own.index) ? own : nil
    }
    switch event {
    case .stepStarted(let step, var start):
      guard let own = known(step, start.iterationIndex) else { return nil }
      guard state.begun.contains(own.index) || state.held.contains(own.index) else { return nil }
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
    summary.earlyEnd = EarlyEnd.main(of: state.summaries.map(\.earlyEnd))
    summary.refusal = state.summaries.lazy.compactMap(\.refusal).first
    summary.runErrors = state.summaries.last?.runErrors ?? []
    return summary
  }
}

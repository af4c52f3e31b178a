import GarlandDiagnostics
import Synchronization

/// Passes the events of several runs of the same plan (`--repeat`) to an observer as the events of one run.
///
/// Each repetition of a step has its own result, as each item of a loop has.
package final class RepeatSeries: RunObserver {
  private struct State {
    /// The number of the current repetition, counted from 1.
    var number = 1
    /// The width of the name of the last repetition, such as `#100`.
    let nameColumns: Int
    var isLast: Bool
    var offset = Duration.zero
    /// For each step, the number of its results in all earlier repetitions. This number is added to the index of each new result of the
    /// step, so that the results of different repetitions have different indexes.
    var taken: [Int] = []
    /// For each step, the number of its results so far, including those of the current repetition.
    var next: [Int] = []
    var counted = RunSummary()
    /// The summary of the last repetition that has ended.
    var last: RunSummary?
    /// Whether a step has failed in the current repetition.
    var hasFailed = false
    var notices = RepeatedNotices()
  }

  private let observer: any RunObserver
  private let state: Mutex<State>

  /// Creates an observer that combines repetitions.
  ///
  /// - Parameters:
  ///   - observer: receives the events of all repetitions as the events of one run.
  ///   - count: the maximum number of repetitions; nil for no maximum. Without a maximum, repetitions up to `#999` have room in a table.
  package init(_ observer: any RunObserver, count: Int?) {
    self.observer = observer
    state = Mutex(State(nameColumns: Self.name(of: count ?? 999).utf8.count, isLast: count == 1))
  }

  /// The details, such as header fields and bodies, that the observer needs in the events of each repetition.
  package var detail: RunDetail { observer.detail }
  /// Whether the observer can receive more events now.
  package var isReady: Bool { observer.isReady }
  /// Waits until the observer can receive more events.
  package func waitUntilReady() async { await observer.waitUntilReady() }

  /// Receives the next event of the current repetition.
  package func receive(_ event: RunEvent) {
    guard let event = state.withLock({ Self.take(event, &$0) }) else { return }
    observer.receive(event)
  }

  /// Whether a step of the last repetition failed (`hasFailed`), and whether the run was ended early (`isEnded`).
  ///
  /// If the deadline passed while only cleanups and `always` steps of the last repetition ran, `isEnded` is false. The steps of the next
  /// repetition are then `not run`, as if the deadline had passed between the two repetitions. After that repetition, `isEnded` is true.
  package var verdict: (hasFailed: Bool, isEnded: Bool) {
    state.withLock { state in
      let last = state.last
      return (state.hasFailed, last?.earlyEnd != nil)
    }
  }

  /// Begins the next repetition.
  ///
  /// - Parameters:
  ///   - elapsed: the time since the start of the first repetition.
  ///   - isLast: whether no other repetition will follow.
  package func advance(at elapsed: Duration, isLast: Bool) {
    state.withLock { state in
      state.number += 1
      state.isLast = isLast
      state.offset = elapsed
      state.taken = state.next
      state.hasFailed = false
    }
  }

  /// Reports the end of the run to the observer.
  ///
  /// - Parameters:
  ///   - problem: the reason why a repetition could not begin, or nil if all repetitions began.
  ///   - early: the reason why the series ended early, perhaps between two runs; nil if it did not.
  /// - Returns: the summary of the run.
  package func finish(_ problem: Diagnostic? = nil, early: EarlyEnd? = nil) -> RunSummary {
    let summary = state.withLock { state in
      var summary = state.counted
      let last = state.last
      summary.wallTime = state.offset + (last?.wallTime ?? .zero)
      summary.earlyEnd = EarlyEnd.main(of: [last?.earlyEnd, early])
      summary.refusal = last?.refusal
      summary.runErrors = (last?.runErrors ?? []) + [problem].compactMap(\.self)
      return summary
    }
    if let problem { observer.receive(.notice(problem)) }
    observer.receive(.runEnded(summary))
    return summary
  }

  private static func take(_ event: RunEvent, _ state: inout State) -> RunEvent? {
    switch event {
    case .runStarted(var start):
      guard state.number == 1 else { return nil }
      state.taken = Array(repeating: 0, count: start.steps.count)
      state.next = state.taken
      let columns = state.nameColumns
      start.isRepeated = true
      start.steps = start.steps.map { $0.withIterationColumns($0.iterationColumns > 0 ? columns + 1 + $0.iterationColumns : columns) }
      return .runStarted(start)
    case .stepReady(let step, let time): return .stepReady(step, at: time + state.offset)
    case .stepStarted(let step, let start):
      var moved = StepStart(
        at: start.time + state.offset, iteration: name(start.iteration, state),
        iterationIndex: place(step, start.iterationIndex, state), itemCount: nil)
      moved.target = start.target
      return .stepStarted(step, moved)
    case .stepProgressed(let step, let item, let progress):
      return .stepProgressed(step, iteration: place(step, item, state), progress)
    case .stepWaits(let step, let item, let reason, let time):
      return .stepWaits(step, iteration: place(step, item, state), reason: reason, until: time + state.offset)
    case .stepEnded(let result): return .stepEnded(labelled(result, &state))
    case .notice(let diagnostic): return state.notices.isNew(diagnostic) ? event : nil
    case .loadProgressed: return event
    case .interrupted(let signal, let time): return .interrupted(signal: signal, at: time + state.offset)
    case .runEnded(let summary):
      state.last = summary
      return nil
    }
  }

  private static func labelled(_ result: StepResult, _ state: inout State) -> StepResult {
    var labelled = result.shifted(by: state.offset)
    let place = place(result.step, result.iterationIndex, state)
    labelled.iteration = name(result.iteration, state)
    labelled.iterationIndex = place
    labelled.endsStep = result.endsStep && state.isLast
    if state.next.indices.contains(result.step.index) {
      state.next[result.step.index] = max(state.next[result.step.index], place + result.itemCount)
    }
    state.counted.count(labelled)
    if result.outcome.isProblem, !result.isFailureAllowed { state.hasFailed = true }
    return labelled
  }

  private static func name(of number: Int) -> String { "#\(number)" }

  /// Returns the number of the repetition in the name of a result: `#2` for the names `#2` and `#2 ITEM`. Returns nil if the name does not
  /// begin with such a number. Only names of a repeated run (``RunStart/isRepeated``) have the number of a repetition: the names of loop
  /// items may look the same.
  package static func repetition(of iteration: String?) -> String? {
    guard let word = iteration?.prefix(while: { $0 != " " }), word.first == "#", Int(word.dropFirst()) != nil else { return nil }
    return String(word)
  }

  private static func name(_ iteration: String?, _ state: State) -> String {
    name(of: state.number) + (iteration.map { " \($0)" } ?? "")
  }

  private static func place(_ step: StepIdentity, _ item: Int?, _ state: State) -> Int {
    (state.taken.indices.contains(step.index) ? state.taken[step.index] : 0) + (item ?? 0)
  }
}

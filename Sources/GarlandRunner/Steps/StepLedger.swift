import GarlandPlanner
import GarlandResults
import GarlandWorkflow

/// The outcomes of a run's steps and, for each step, the values that later steps use. A step is identified by its index in the plan.
struct StepLedger {
  /// A step whose values another step uses.
  struct Source {
    /// The position of the step in the plan.
    let index: Int32
    /// The ordinal (index in the document) by which expressions refer to the step.
    let ordinal: Int32
  }

  private struct Entry {
    /// The outcome of the step; nil if the step has not ended.
    var outcome: Outcome?
    /// The time when the step was ready to begin.
    var readyAt = Duration.zero
    /// The values that later steps use.
    var stored: StoredStep?
  }

  private var entries: [Entry]
  /// For each step, the steps whose values it uses, without duplicates.
  private let sources: [[Source]]
  /// For each step, the number of users that still need its values: steps that have not ended, expressions of `--print`, and the outputs of
  /// a called document.
  private var userCounts: [Int32]
  /// The steps that the expressions of `--print` use. The whole responses of these steps are kept.
  private let printed: Set<Int>

  /// Creates the ledger of a run that has not begun.
  ///
  /// - Parameter isCalled: whether this is the run of a called document. Values are then kept until the outputs of the document are
  ///   evaluated.
  init(_ plan: Plan, prints: [RunPrint], isCalled: Bool) {
    sources = Self.sources(of: plan)
    userCounts = Self.userCounts(of: sources, plan, prints: prints, isCalled: isCalled)
    printed = Set(prints.flatMap { print in print.stepOrdinals.compactMap { plan.step($0, of: print.workflow)?.index } })
    entries = Array(repeating: Entry(), count: plan.steps.count)
  }

  /// Returns the outcome of a step; nil if the step has not ended.
  func outcome(of index: Int) -> Outcome? { entries[index].outcome }

  /// The outcome of each step; nil for a step that has not ended.
  var outcomes: [Outcome?] { entries.map(\.outcome) }

  /// Returns the time when a step was ready to begin; zero if it was not ready yet.
  func readyAt(_ index: Int) -> Duration { entries[index].readyAt }

  mutating func noteReady(_ index: Int, at time: Duration) { entries[index].readyAt = time }

  /// Whether the values of the given step are still needed: by a step that has not ended, by `--print`, or by the outputs of a called
  /// document.
  func isUsed(_ index: Int) -> Bool { userCounts[index] > 0 }

  /// Whether an expression of `--print` uses a value of the given step.
  func isPrinted(_ index: Int) -> Bool { printed.contains(index) }

  /// Returns the stored values of a step.
  func stored(_ index: Int) -> StoredStep? { entries[index].stored }

  /// Returns the values of other steps that the given step may use.
  func known(for index: Int) -> [StepContext.Known] {
    sources[index].map { StepContext.Known(step: Int($0.ordinal), stored: entries[Int($0.index)].stored) }
  }

  /// Returns the steps whose values the given step uses, with their stored values.
  func used(by index: Int) -> [(source: Source, stored: StoredStep)] {
    sources[index].compactMap { source in entries[Int(source.index)].stored.map { (source, $0) } }
  }

  mutating func keep(_ step: StoredStep?, of index: Int) { entries[index].stored = step }

  mutating func note(_ outcome: Outcome, of index: Int) { entries[index].outcome = outcome }

  /// Releases the values that no step needs any more, now that the given step has ended. Returns the size of these values in bytes.
  mutating func release(after index: Int, _ outcome: Outcome) -> Int {
    if userCounts[index] > 0, entries[index].stored == nil { entries[index].stored = Self.nothing(after: outcome) }
    var released = 0
    for source in sources[index] {
      userCounts[Int(source.index)] -= 1
      if userCounts[Int(source.index)] == 0 {
        released += entries[Int(source.index)].stored?.weight ?? 0
        entries[Int(source.index)].stored = nil
      }
    }
    return released
  }

  private static let skipped = StoredStep(extracted: [], response: nil, absence: "it was skipped")
  private static let blocked = StoredStep(extracted: [], response: nil, absence: "it was blocked")
  private static let notRun = StoredStep(extracted: [], response: nil, absence: "it was not run")

  private static func nothing(after outcome: Outcome) -> StoredStep? {
    switch outcome {
    case .skipped: skipped
    case .blocked: blocked
    case .notRun: notRun
    case .passed, .failed, .error, .unreachable: nil
    }
  }

  private static func sources(of plan: Plan) -> [[Source]] {
    plan.steps.map { planned in
      var sources: [Source] = []
      for reference in planned.step.references where reference.target != planned.step.ordinal && reference.member != .address {
        guard let source = plan.step(reference.target, of: planned.workflowIndex)?.index else { continue }
        let ordinal = Int32(reference.target)
        if !sources.contains(where: { $0.ordinal == ordinal }) { sources.append(Source(index: Int32(source), ordinal: ordinal)) }
      }
      return sources
    }
  }

  private static func userCounts(of sources: [[Source]], _ plan: Plan, prints: [RunPrint], isCalled: Bool) -> [Int32] {
    var counts = [Int32](repeating: 0, count: plan.steps.count)
    for list in sources { for source in list { counts[Int(source.index)] += 1 } }
    for ordinal in isCalled ? plan.workflows.first?.outputs.flatMap(\.stepOrdinals) ?? [] : [] {
      if let step = plan.step(ordinal, of: 0) { counts[step.index] += 1 }
    }
    for print in prints {
      for ordinal in print.stepOrdinals {
        if let step = plan.step(ordinal, of: print.workflow) { counts[step.index] += 1 }
      }
    }
    return counts
  }
}

import GarlandResults
import GarlandWorkflow

/// The loop of a step that has begun and not ended.
final class ActiveLoop {
  let index: Int
  let items: LoopItems
  /// How many items may be at work at once.
  let limit: Int
  let context: StepContext
  /// The next item to begin.
  var next = 0
  /// Items that have asked for the resources they need and may begin when they get them.
  var asking: Set<Int> = []
  /// Items at work.
  var active: [Int: ActiveStep] = [:]
  /// The number of items in line for a slot: no further item begins while there are enough, so that
  /// a long list costs no memory.
  var inLine = 0
  /// Whether the items are being begun, so that one that ends at once does not begin the next from within.
  var isBeginning = false
  /// Whether only one item may be at work, since there is a step in it that runs alone.
  var isAlone = false
  /// Whether no further items begin.
  var isStopped = false
  /// The stored values of the items for steps that use them; empty if there is no such step.
  var stored: [StoredStep?]
  private(set) var counts: [Outcome: Int] = [:]
  /// Whether the server holds nothing because of it.
  var leavesNothing = true
  var startedAt: Duration?

  init(index: Int, items: LoopItems, limit: Int?, context: StepContext, isNamed: Bool) {
    self.index = index
    self.items = items
    self.limit = limit ?? .max
    self.context = context
    stored = isNamed ? Array(repeating: nil, count: items.count) : []
  }

  func count(_ outcome: Outcome) { counts[outcome, default: 0] += 1 }

  var hasUnbegun: Bool { next < items.count }

  /// Whether any item waits to be sent for the first time.
  var hasUnsent: Bool { (hasUnbegun && !isStopped) || !asking.isEmpty || active.values.contains { $0.startedAt == nil } }

  /// Whether all is done that will be.
  var isDone: Bool { active.isEmpty && asking.isEmpty && (!hasUnbegun || isStopped) }

  /// Whether some items passed and others did not.
  var isPartial: Bool { counts[.passed, default: 0] > 0 }

  /// The outcome of the step: the worst of its items, and passed if there are none.
  var outcome: Outcome {
    for outcome in [Outcome.failed, .error, .unreachable, .blocked] where counts[outcome, default: 0] > 0 { return outcome }
    if hasUnbegun || counts[.notRun, default: 0] > 0 { return .notRun }
    return counts[.passed, default: 0] > 0 || items.count == 0 ? .passed : .skipped
  }
}

import GarlandResults

/// A loop that is in progress: its items, the items that are running now, and the outcomes of those that have ended.
final class ActiveLoop {
  let index: Int
  let items: LoopItems
  /// The indices of the items that this run carries out. These are all items, unless the items are divided among several runs.
  let places: Range<Int>
  /// The maximum number of items of the loop that may run at the same time.
  let limit: Int
  let context: StepContext
  /// The index of the next item to begin.
  var next: Int
  /// The items that have requested resources but have not received them yet. An item begins when it receives its resources.
  var asking: Set<Int> = []
  /// The running items of the loop, by index.
  var active: [Int: ActiveStep] = [:]
  /// The number of items that have been created and wait for a transfer slot. While this number is at its limit, no further items are
  /// created, so that a long list needs little memory.
  var inLine = 0
  /// Whether a method that begins or stops items of the loop is running. An item that ends meanwhile does not begin the next item itself,
  /// since the calls would be recursive.
  var isBeginning = false
  /// Whether only one item may run at a time, because the document that each item calls contains a step that must run alone.
  var isAlone = false
  /// Whether no further items may begin.
  var isStopped = false
  /// The stored values of the items, for steps that use them; empty if no step uses them.
  var stored: [StoredStep?]
  private(set) var counts: [Outcome: Int] = [:]
  /// Whether no item has left data on the server. If true, the cleanup of the loop's step can be skipped.
  var leavesNothing = true
  var startedAt: Duration?

  init(index: Int, items: LoopItems, places: Range<Int>, limit: Int?, context: StepContext, isNamed: Bool) {
    self.index = index
    self.items = items
    self.places = places
    next = places.lowerBound
    self.limit = limit ?? .max
    self.context = context
    stored = isNamed ? Array(repeating: nil, count: items.count) : []
  }

  func count(_ outcome: Outcome) { counts[outcome, default: 0] += 1 }

  var hasUnbegun: Bool { next < places.upperBound }

  /// Whether at least one item of the loop has not sent its first request yet.
  var hasUnsent: Bool { (hasUnbegun && !isStopped) || !asking.isEmpty || active.values.contains { $0.times.startedAt == nil } }

  /// Whether the loop is finished: no item is running, and no further item will begin.
  var isDone: Bool { active.isEmpty && asking.isEmpty && (!hasUnbegun || isStopped) }

  /// Whether at least one item passed. Other steps can then use the values of these items, even if the step as a whole failed.
  var isPartial: Bool { counts[.passed, default: 0] > 0 }

  /// The outcome of the step, which is the worst outcome of its items. A loop without items has passed.
  var outcome: Outcome {
    for outcome in [Outcome.failed, .error, .unreachable, .blocked] where counts[outcome, default: 0] > 0 { return outcome }
    if hasUnbegun || counts[.notRun, default: 0] > 0 { return .notRun }
    return counts[.passed, default: 0] > 0 || places.isEmpty ? .passed : .skipped
  }
}

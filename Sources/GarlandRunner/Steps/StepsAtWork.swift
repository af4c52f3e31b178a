/// The steps of a run that have begun and not ended, and those that could, but for observers that have not caught up.
struct StepsAtWork {
  /// The steps without a loop, by their indexes.
  var steps: [ActiveStep?]
  /// Loops, by their steps.
  var loops: [Int: ActiveLoop] = [:]
  /// Steps that may begin as soon as the observers have caught up.
  var heldBack: [Int] = []
  /// Loops whose next items may begin then.
  var heldBackLoops: [ActiveLoop] = []
  var isWaitingForObservers = false

  init(count: Int) { steps = Array(repeating: nil, count: count) }

  /// A step, or an item of its loop.
  func step(_ index: Int, item: Int) -> ActiveStep? { steps[index] ?? loops[index]?.active[item] }

  /// All of them, items of loops included.
  var all: [ActiveStep] { steps.compactMap { $0 } + loops.values.flatMap(\.active.values) }
}

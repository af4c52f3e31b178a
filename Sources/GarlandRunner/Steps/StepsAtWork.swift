/// The steps of a run that are in progress, and those that may begin as soon as the observers have caught up.
struct StepsAtWork {
  /// The running steps without a loop, by their indexes.
  var steps: [ActiveStep?]
  /// The running loops, by the indexes of their steps.
  var loops: [Int: ActiveLoop] = [:]
  /// Steps that may begin as soon as the observers have caught up.
  var heldBack: [Int] = []
  /// Loops whose next items may begin as soon as the observers have caught up.
  var heldBackLoops: [ActiveLoop] = []
  var isWaitingForObservers = false

  init(count: Int) { steps = Array(repeating: nil, count: count) }

  /// Returns a running step, or a running item of its loop.
  func step(_ index: Int, item: Int) -> ActiveStep? { steps[index] ?? loops[index]?.active[item] }

  /// All running steps and items of loops.
  var all: [ActiveStep] { steps.compactMap { $0 } + loops.values.flatMap(\.active.values) }
}

/// The steps of a run that are in progress, and the steps that may begin as soon as the observers have processed their events.
struct StepsAtWork {
  /// The running steps without a loop, by their indexes.
  var steps: [ActiveStep?]
  /// The running loops, by the indexes of their steps.
  var loops: [Int: ActiveLoop] = [:]
  /// The steps that may begin as soon as the observers have processed their events.
  var heldBack: [Int] = []
  /// The loops whose next items may begin as soon as the observers have processed their events.
  var heldBackLoops: [ActiveLoop] = []
  var isWaitingForObservers = false

  init(count: Int) { steps = Array(repeating: nil, count: count) }

  /// Returns a running step, or a running item of its loop.
  func step(_ index: Int, item: Int) -> ActiveStep? { steps[index] ?? loops[index]?.active[item] }

  /// All running steps and all running items of loops.
  var all: [ActiveStep] { steps.compactMap { $0 } + loops.values.flatMap(\.active.values) }
}

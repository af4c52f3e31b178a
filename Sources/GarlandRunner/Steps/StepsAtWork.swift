/// The steps of a run that are in progress, and the steps that must not begin before the observers have processed enough events.
struct StepsAtWork {
  /// For each step of the plan, the step in progress; nil for a step that is not in progress, or that has a loop.
  var steps: [ActiveStep?]
  /// The running loops, by the indexes of their steps.
  var loops: [Int: ActiveLoop] = [:]
  /// The steps that begin when the observers have processed enough events.
  var heldBack: [Int] = []
  /// The loops whose next items begin when the observers have processed enough events.
  var heldBackLoops: [ActiveLoop] = []
  var isWaitingForObservers = false

  init(count: Int) { steps = Array(repeating: nil, count: count) }

  /// Returns a step that is in progress, or an item of its loop; nil if it is not in progress.
  func step(_ index: Int, item: Int) -> ActiveStep? { steps[index] ?? loops[index]?.active[item] }

  /// All running steps and all running items of loops.
  var all: [ActiveStep] { steps.compactMap { $0 } + loops.values.flatMap(\.active.values) }
}

/// The steps of a run that are in progress, and the steps that begin later because the observers still have too many events to process.
struct StepsAtWork {
  /// For each step of the plan, its state if the step is in progress. Nil if the step is not in progress, or if it has a loop.
  var steps: [ActiveStep?]
  /// The running loops, by the indexes of their steps.
  var loops: [Int: ActiveLoop] = [:]
  /// The steps that are held back because the observers have too many unprocessed events.
  var heldBack: [Int] = []
  /// The loops whose next items are held back because the observers have too many unprocessed events.
  var heldBackLoops: [ActiveLoop] = []
  var isWaitingForObservers = false

  init(steps: [ActiveStep?]) { self.steps = steps }

  /// Returns a step or, for a step with a loop, one of the loop's items. Returns nil if the step or the item is not in progress.
  func step(_ index: Int, item: Int) -> ActiveStep? { steps[index] ?? loops[index]?.active[item] }

  /// All running steps and all running items of loops.
  var all: [ActiveStep] { steps.compactMap { $0 } + loops.values.flatMap(\.active.values) }
}

import GarlandPlanner

/// The number of concurrent transfers, and the order in which ready steps start.
package struct SchedulerPolicy: Sendable {
  /// The order in which ready steps start.
  package enum Order: Sendable, Hashable {
    /// The step with the longest path behind it, so that the run ends as early as it can; then file order.
    case longestPath
    /// File order.
    case file
    /// A random order that follows from a seed: it proves that the dependencies are complete.
    case shuffled(seed: UInt64)
  }

  /// Transfers at once.
  package var concurrency: Int
  /// Transfers at once to one origin.
  package var perOrigin: Int
  /// Whether a step begins only when none is under way.
  package var isSerial: Bool
  /// The order in which steps start.
  package var order: Order
  /// The number of problems after which nothing new starts.
  package var maxFailures: Int?
  /// The weight of values kept for later steps from which those steps start first.
  /// Only for `longestPath`: the other orders must not change.
  package var heldBytes: Int
  /// Whether resources are those of another run, which has to be asked for them.
  package var borrowsResources: Bool

  package init(
    concurrency: Int = 16, perOrigin: Int = 6, isSerial: Bool = false, order: Order = .longestPath, maxFailures: Int? = nil,
    heldBytes: Int = .max, borrowsResources: Bool = false
  ) {
    self.concurrency = max(1, isSerial ? 1 : concurrency)
    self.perOrigin = max(1, perOrigin)
    self.isSerial = isSerial
    self.order = order
    self.maxFailures = maxFailures
    self.borrowsResources = borrowsResources
    self.heldBytes = order == .longestPath ? heldBytes : .max
  }

  /// The steps from first to last.
  func ranking(of steps: [ScheduleGraph.Step]) -> [Int] {
    switch order {
    case .file:
      return Array(steps.indices)
    case .longestPath:
      return steps.indices.sorted {
        steps[$0].remainingPath != steps[$1].remainingPath ? steps[$0].remainingPath > steps[$1].remainingPath : $0 < $1
      }
    case .shuffled(let seed):
      var generator = SeededGenerator(seed: seed)
      return steps.indices.shuffled(using: &generator)
    }
  }
}

import GarlandText

/// The settings of the scheduler: the number of concurrent transfers, the order in which ready steps start, and other limits.
package struct SchedulerPolicy: Sendable {
  /// The order in which ready steps start.
  package enum Order: Sendable, Hashable {
    /// The step with the longest remaining path comes first, so that the run ends as early as possible. The remaining path is the longest
    /// chain that begins at the step and in which each step depends on the one before it. Steps with equally long paths are in file order.
    case longestPath
    /// Steps start in the order of the workflow files. The steps of one file start in the order in which they are written in the file.
    case file
    /// A random order that is determined by a seed. A step that fails only in such an order probably lacks a dependency in its document.
    case shuffled(seed: UInt64)
  }

  /// The maximum number of concurrent transfers.
  package var concurrency: Int
  /// The maximum number of concurrent transfers to an origin.
  package var perOrigin: Int
  /// Whether a step begins only when no other step is running.
  package var isSerial: Bool
  /// The order in which steps start.
  package var order: Order
  /// The number of failures after which no further step starts; nil for no limit.
  package var maxFailures: Int?
  /// The limit for the size in bytes of the values that are kept for later steps. Above this limit, steps that use kept values start first.
  /// The limit applies only to the order `longestPath`.
  package var heldBytes: Int
  /// Whether the steps of this run must request their resources (`uses:`) from the calling run, which counts the resources in use.
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

  /// Returns the steps in the order in which they start.
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

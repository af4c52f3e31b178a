/// The dependencies of a plan in a compact form for the scheduler, with a few bytes for each edge.
///
/// Steps are numbers from 0, in file order. If there are several edges from one step to another, the edge with the strictest ``Need``
/// counts. All schedulers of a plan share one object.
package final class ScheduleGraph: Sendable {
  /// The condition that a dependency (a step) must meet before the dependent step starts: the dependency must have ended, have passed, or
  /// have provided a value.
  package enum Need: UInt8, Sendable {
    /// The dependency must have ended, with any outcome. Used for `after: {x: ended}`, for `order: file`, and for cleanups.
    case end
    /// The dependency must have passed or been skipped: `after: x`.
    case pass
    /// The step uses a value of the dependency, but has a replacement for a missing value: `${x.id ?? 0}`.
    case optionalValue
    /// The step uses a value of the dependency: `${x.id}`.
    case value

    /// Whether the step uses a value of the dependency.
    var isOfValue: Bool { self == .value || self == .optionalValue }
  }

  /// A dependency between two steps, as an edge of the graph.
  package struct Edge: Sendable, Hashable {
    /// The step that must end before the waiting step starts.
    package var dependency: Int
    /// The step that waits.
    package var dependent: Int
    /// The condition that the dependency must meet before the waiting step starts.
    package var need: Need

    package init(from dependency: Int, to dependent: Int, _ need: Need) {
      self.dependency = dependency
      self.dependent = dependent
      self.need = need
    }
  }

  /// The properties of a step that the scheduler needs.
  package struct Step: Sendable {
    /// Whether the step runs as soon as all its dependencies have ended, even if some of them have failed.
    package var isAlways: Bool
    /// The step to which this cleanup belongs; nil if this step is not a cleanup. For every cleanup, ``isAlways`` is true.
    package var cleansUp: Int?
    /// Whether this is a join instead of a real step: a node that only waits for other nodes, so that the graph needs fewer edges. A join
    /// ends as soon as all its dependencies have ended, and is never reported.
    package var isJoin = false
    /// The length of the longest path from the start of this step to the end of the run. The length of a path is the sum of the weights of
    /// its steps.
    package var remainingPath: Double
    /// The number of the origin (scheme, host and port) to which the step sends; nil if it is not known before the run.
    package var origin: Int?
    /// Whether the step has a loop.
    package var isLoop = false
    /// Whether no other step may run at the same time.
    package var isExclusive = false
    /// The resources that the step uses while it runs, as indexes of ``ScheduleGraph/resources``.
    package var uses: [Int] = []

    package init(isAlways: Bool = false, cleansUp: Int? = nil, remainingPath: Double = 1, origin: Int? = nil) {
      self.isAlways = isAlways || cleansUp != nil
      self.cleansUp = cleansUp
      self.remainingPath = remainingPath
      self.origin = origin
    }
  }

  package let steps: [Step]
  /// The number of steps that may use each resource at the same time.
  package let resources: [Int]
  /// The number of dependencies of each step.
  let dependencyCounts: [Int32]
  /// The steps that have a cleanup.
  let cleanedSteps: Set<Int>
  /// For each step, whether other steps use its values. If true, the values are kept in memory after the step has ended.
  let hasUsers: [Bool]
  /// For each node, the index of the first edge from this node to a dependent node. The edges from node `i` are
  /// `starts[i]..<starts[i + 1]`.
  private let starts: [Int32]
  private let dependents: [Int32]
  private let needs: [Need]

  /// Creates a graph.
  ///
  /// - Parameters:
  ///   - steps: the steps in file order.
  ///   - edges: the edges in any order, without a cycle.
  ///   - resources: the number of steps that may use each resource at the same time.
  package init(steps: [Step], edges: some Collection<Edge>, resources: [Int] = []) {
    self.resources = resources
    var starts = [Int32](repeating: 0, count: steps.count + 1)
    var counts = [Int32](repeating: 0, count: steps.count)
    var hasUsers = [Bool](repeating: false, count: steps.count)
    for edge in edges {
      starts[edge.dependency + 1] += 1
      counts[edge.dependent] += 1
      if edge.need.isOfValue { hasUsers[edge.dependency] = true }
    }
    for index in steps.indices { starts[index + 1] += starts[index] }
    var next = starts
    var dependents = [Int32](repeating: 0, count: edges.count)
    var needs = [Need](repeating: .end, count: edges.count)
    for edge in edges {
      let slot = Int(next[edge.dependency])
      next[edge.dependency] += 1
      dependents[slot] = Int32(edge.dependent)
      needs[slot] = edge.need
    }
    self.steps = steps
    cleanedSteps = Set(steps.lazy.compactMap(\.cleansUp))
    self.hasUsers = hasUsers
    self.starts = starts
    self.dependents = dependents
    self.needs = needs
    dependencyCounts = counts
  }

  /// Returns the indexes of the edges that lead from a step to the steps that wait for it.
  func edges(from dependency: Int) -> Range<Int> { Int(starts[dependency])..<Int(starts[dependency + 1]) }

  func dependent(of edge: Int) -> Int { Int(dependents[edge]) }

  func need(of edge: Int) -> Need { needs[edge] }
}

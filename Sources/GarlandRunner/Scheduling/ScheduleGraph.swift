/// The dependencies of a plan for the scheduler, in a form that costs a few bytes for each edge.
///
/// Steps are numbers from 0, in file order. An edge may occur more than once; the strictest of them
/// counts.
package struct ScheduleGraph: Sendable {
  /// The need of a step for another.
  package enum Need: UInt8, Sendable {
    /// Its end, whatever the outcome: `after: {x: ended}`, `order: file`, and what a cleanup waits for.
    case end
    /// The other step passes, or is skipped: `after: x`.
    case pass
    /// An optional value, with a default if there is none: `${x.id ?? 0}`.
    case optionalValue
    /// A value of it: `${x.id}`.
    case value

    /// Whether the step needs a value.
    var isOfValue: Bool { self == .value || self == .optionalValue }
  }

  /// One edge.
  package struct Edge: Sendable, Hashable {
    /// The step that has to end first.
    package var dependency: Int
    /// The step that waits.
    package var dependent: Int
    /// The need of the waiting step.
    package var need: Need

    package init(from dependency: Int, to dependent: Int, _ need: Need) {
      self.dependency = dependency
      self.dependent = dependent
      self.need = need
    }
  }

  /// One step.
  package struct Step: Sendable {
    /// Whether it runs once all its dependencies have ended, with any outcome.
    package var isAlways: Bool
    /// The step whose traces it removes. Such a step is an `always` step too.
    package var cleansUp: Int?
    /// Whether it is no step but a join of edges, which ends as soon as all its dependencies have
    /// ended, and is never reported.
    package var isJoin = false
    /// The weight of the longest path from its start to the end of the run.
    package var remainingPath: Double
    /// The origin of its request, if it is known before the run.
    package var origin: Int?
    /// Whether it runs once for each of several items.
    package var isLoop = false
    /// Whether nothing else runs while it does.
    package var isExclusive = false
    /// The resources it takes a part of while it is at work, indexes of ``ScheduleGraph/resources``.
    package var uses: [Int] = []

    package init(isAlways: Bool = false, cleansUp: Int? = nil, remainingPath: Double = 1, origin: Int? = nil) {
      self.isAlways = isAlways || cleansUp != nil
      self.cleansUp = cleansUp
      self.remainingPath = remainingPath
      self.origin = origin
    }
  }

  package let steps: [Step]
  /// How many steps may use each resource at once.
  package let resources: [Int]
  /// How many edges lead to each step.
  let dependencyCounts: [Int32]
  /// Whether any step uses values of each, so that they are kept.
  let hasUsers: [Bool]
  /// The edges of dependency `i` are `starts[i]..<starts[i + 1]`.
  private let starts: [Int32]
  private let dependents: [Int32]
  private let needs: [Need]

  /// - Parameters:
  ///   - steps: in file order.
  ///   - edges: in any order, without a cycle.
  ///   - resources: how many steps may have each at once.
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
    self.hasUsers = hasUsers
    self.starts = starts
    self.dependents = dependents
    self.needs = needs
    dependencyCounts = counts
  }

  /// The edges that start at a step.
  func edges(from dependency: Int) -> Range<Int> { Int(starts[dependency])..<Int(starts[dependency + 1]) }

  func dependent(of edge: Int) -> Int { Int(dependents[edge]) }

  func need(of edge: Int) -> Need { needs[edge] }
}

import GarlandPlanner
import GarlandWorkflow

extension ScheduleGraph {
  /// What the scheduler needs of a plan.
  ///
  /// - Parameters:
  ///   - plan: the plan.
  ///   - weights: how long each step is expected to take, in any unit.
  ///   - origins: the origin of each step's request, as a number, where it is known beforehand.
  init(_ plan: Plan, weights: [Double]? = nil, origins: [Int?]) {
    let graph = plan.graph
    let joins = [Double](repeating: 0, count: plan.joinCount)
    let remaining = graph.longestPathsToEnd(
      weights: (weights ?? Array(repeating: 1, count: plan.steps.count)) + joins, order: plan.order)
    let resources = SharedResources(plan.workflows)
    var steps: [Step] = []
    steps.reserveCapacity(graph.nodeCount)
    for step in plan.steps {
      let cleaned = step.step.flow.cleanup.flatMap { plan.step($0.step, of: step.workflowIndex)?.index }
      var node = Step(isAlways: step.runsAlways, cleansUp: cleaned, remainingPath: remaining[step.index], origin: origins[step.index])
      node.isLoop = step.step.flow.loop != nil
      node.isExclusive = step.step.flow.exclusive
      node.uses = step.step.flow.uses.map { resources.index(of: $0.resource, in: step.workflowIndex) }.sorted()
      steps.append(node)
    }
    for _ in 0..<plan.joinCount {
      var join = Step()
      join.isJoin = true
      steps.append(join)
    }
    let edges = (0..<graph.edgeCount).map { edge in
      Edge(from: Int(graph.sources[edge]), to: Int(graph.targets[edge]), Self.need(of: edge, in: plan))
    }
    self.init(steps: steps, edges: edges, resources: resources.counts)
  }

  private static func need(of edge: Int, in plan: Plan) -> Need {
    if plan.permits(edge, after: .notPassed) { return .end }
    return plan.permits(edge, after: .skipped) ? .pass : .value
  }
}

/// The resources of all documents of a plan: those of the same name are one, of which there is as little as the document says that says least.
private struct SharedResources {
  private(set) var counts: [Int] = []
  private var indexes: [[Int]] = []

  init(_ workflows: [Workflow]) {
    var known: [String: Int] = [:]
    for workflow in workflows {
      indexes.append(
        workflow.resources.map { resource in
          if let index = known[resource.name.value] {
            counts[index] = min(counts[index], resource.count)
            return index
          }
          known[resource.name.value] = counts.count
          counts.append(resource.count)
          return counts.count - 1
        })
    }
  }

  func index(of resource: Int, in workflow: Int) -> Int { indexes[workflow][resource] }
}

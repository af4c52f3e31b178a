import GarlandPlanner
import GarlandWorkflow

extension ScheduleGraph {
  /// Creates the graph of a plan for the scheduler.
  ///
  /// - Parameters:
  ///   - plan: the plan whose steps become the nodes of the graph.
  ///   - weights: the expected duration of each step, in any unit.
  ///   - origins: the number of the origin of each step's request; nil if the origin is not known before the run.
  ///   - resources: the resources that the steps of the plan share with each other and with the steps of called documents.
  convenience init(_ plan: Plan, weights: [Double]? = nil, origins: [Int?], resources: SharedResources) {
    let graph = plan.graph
    let joins = [Double](repeating: 0, count: plan.joinCount)
    let remaining = graph.longestPathsToEnd(
      weights: (weights ?? Array(repeating: 1, count: plan.steps.count)) + joins, order: plan.order)
    var steps: [Step] = []
    steps.reserveCapacity(graph.nodeCount)
    for step in plan.steps {
      let cleaned = step.step.flow.cleanup.flatMap { plan.step($0.step, of: step.workflowIndex)?.index }
      var node = Step(isAlways: step.runsAlways, cleansUp: cleaned, remainingPath: remaining[step.index], origin: origins[step.index])
      let called = step.step.call.flatMap { plan.plan(called: $0.workflow) }
      node.isLoop = step.step.flow.loop != nil
      node.isExclusive = step.step.flow.exclusive || called?.wantsToBeAlone == true
      node.uses = resources.indexes(usedBy: step, calling: called)
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
    guard plan.permits(edge, after: .skipped) else { return .value }
    return plan.facts(of: edge).isDisjoint(with: [.afterPassed, .file]) ? .optionalValue : .pass
  }
}

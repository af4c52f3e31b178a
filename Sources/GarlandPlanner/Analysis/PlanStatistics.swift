/// Numbers that describe the shape of a plan: its size, its longest chain and its possible parallelism.
public struct PlanStatistics: Sendable, Hashable {
  /// The number of steps.
  var steps: Int
  /// The number of edges of the dependency graph that lead to a step. If a cleanup waits for many steps through a join (a node without a
  /// step), this counts as one edge.
  var edges: Int
  /// The number of steps in the longest chain in which each step waits for the previous one.
  var depth: Int
  /// The maximum number of steps that run at the same time if all steps take equally long and no limit applies.
  var width: Int
  /// The number of steps that wait for no other step.
  var roots: Int
  /// The sum of the weights of all steps. A weight is a duration in seconds, or 1 if no durations were given.
  var work: Double
  /// The weight of the heaviest chain in which each step waits for the previous one, in the unit of ``work``.
  public var span: Double
  /// The best possible speed-up over running the steps one after another: ``work`` divided by ``span``; 1 if the plan has no steps.
  var idealSpeedUp: Double { span > 0 ? work / span : 1 }
}

extension Plan {
  /// Returns the priority of each node of the graph: the weight of the node plus the weight of the heaviest chain of steps that wait for
  /// the node. If several steps are ready, the step with the highest priority should start first.
  ///
  /// - Parameter weights: the duration of each step, in the order of ``steps``; 1 for each step by default. Joins (nodes without a step)
  ///   have weight 0.
  func priorities(weights: [Double]? = nil) -> [Double] {
    graph.longestPathsToEnd(weights: nodeWeights(weights), order: order)
  }

  /// Returns the indexes of the steps on the critical path, first to last. The critical path is the chain of steps, each waiting for the
  /// previous step, that has the largest total weight.
  ///
  /// - Parameter weights: the duration of each step, in the order of ``steps``; 1 for each step by default.
  func criticalPath(weights: [Double]? = nil) -> [Int] {
    graph.criticalPath(weights: nodeWeights(weights), order: order).filter { !isJoin($0) }
  }

  /// Returns the statistics of the plan.
  ///
  /// - Parameter weights: the duration of each step, in the order of ``steps``; 1 for each step by default.
  public func statistics(weights: [Double]? = nil) -> PlanStatistics {
    let weights = nodeWeights(weights)
    let levels = stepLevels()
    let depth = Int(levels.prefix(steps.count).max() ?? -1) + 1
    var sizes = [Int](repeating: 0, count: depth)
    for step in steps.indices { sizes[Int(levels[step])] += 1 }
    var roots = 0
    for step in steps.indices where graph.predecessorCount(of: step) == 0 { roots += 1 }
    return PlanStatistics(
      steps: steps.count, edges: (0..<graph.edgeCount).count { !isJoin(Int(graph.targets[$0])) }, depth: depth,
      width: sizes.max() ?? 0, roots: roots, work: weights.reduce(0, +),
      span: graph.longestPathsToEnd(weights: weights, order: order).max() ?? 0)
  }

  /// Returns, for each node, the number of steps in the longest chain of steps that must end before the node can start.
  func stepLevels() -> [Int32] {
    var levels = [Int32](repeating: 0, count: graph.nodeCount)
    for node in order {
      var level: Int32 = 0
      for source in graph.predecessors(of: Int(node)) { level = max(level, levels[Int(source)] + (isJoin(Int(source)) ? 0 : 1)) }
      levels[Int(node)] = level
    }
    return levels
  }

  private func nodeWeights(_ weights: [Double]?) -> [Double] {
    (weights ?? [Double](repeating: 1, count: steps.count)) + [Double](repeating: 0, count: joinCount)
  }
}

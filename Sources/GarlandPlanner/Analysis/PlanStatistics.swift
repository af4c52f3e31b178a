/// A plan in numbers.
public struct PlanStatistics: Sendable, Hashable {
  /// How many steps there are.
  public var steps: Int
  /// How many pairs of a step and one it waits for directly.
  public var edges: Int
  /// How many steps the longest chain has.
  public var depth: Int
  /// How many steps run at the same time at most, if all take equally long and nothing limits them.
  public var width: Int
  /// How many steps wait for nothing.
  public var roots: Int
  /// The sum of all steps, in the unit of the weights.
  public var work: Double
  /// The weight of the heaviest chain, in the unit of the weights.
  public var span: Double
  /// How many times as fast as one after another the steps can be at best: work by span. 1 without steps.
  public var idealSpeedUp: Double { span > 0 ? work / span : 1 }
}

extension Plan {
  /// For each node of the graph, what it and the heaviest chain of those that wait for it take: the larger, the earlier it should start.
  ///
  /// - Parameter weights: how long each step takes, by index; 1 for all by default. Joins take nothing.
  public func priorities(weights: [Double]? = nil) -> [Double] {
    graph.longestPathsToEnd(weights: nodeWeights(weights), order: order)
  }

  /// The indexes of the steps of the heaviest chain, first to last.
  ///
  /// - Parameter weights: how long each step takes, by index; 1 for all by default.
  public func criticalPath(weights: [Double]? = nil) -> [Int] {
    graph.criticalPath(weights: nodeWeights(weights), order: order).filter { !isJoin($0) }
  }

  /// The plan in numbers.
  ///
  /// - Parameter weights: how long each step takes, by index; 1 for all by default.
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

  /// For each node how many steps must run one after another before it.
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

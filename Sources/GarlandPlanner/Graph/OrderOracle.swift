/// Determines whether one node must come before another, at a bounded cost.
///
/// Most answers follow from the positions of the two nodes in a topological order, and from their levels. Otherwise, the nodes between the
/// two positions are searched for a path. In a graph of 100,000 nodes, one search can visit all nodes, so the searches share a budget.
/// After the budget is spent, the result is `unknown`.
struct OrderOracle {
  enum Answer: Equatable {
    /// The first node must end before the second node can start.
    case before
    /// The second node must end before the first node can start.
    case after
    /// No path leads from one of the nodes to the other, so both may run at the same time.
    case unordered
    /// The order is not known, since the search for a path would exceed the budget.
    case unknown
  }

  private let graph: Graph
  private let positions: [Int32]
  private let levels: [Int32]
  private var visited: [Int32]
  private var round: Int32 = 0
  private(set) var budget: Int

  /// Prepares queries about the order of the nodes of a graph.
  ///
  /// - Parameters:
  ///   - graph: a graph without cycles.
  ///   - order: a topological order of the graph.
  ///   - levels: for each node, the number of edges of the longest path to the node.
  ///   - budget: the maximum number of edges that all searches together may visit.
  init(_ graph: Graph, order: [Int32], levels: [Int32], budget: Int) {
    self.graph = graph
    self.levels = levels
    self.budget = budget
    var positions = [Int32](repeating: 0, count: graph.nodeCount)
    for (position, node) in order.enumerated() { positions[Int(node)] = Int32(position) }
    self.positions = positions
    visited = [Int32](repeating: 0, count: graph.nodeCount)
  }

  mutating func order(of first: Int, and second: Int) -> Answer {
    guard first != second, levels[first] != levels[second] else { return .unordered }
    if positions[first] < positions[second] {
      return answer(reaches(from: first, second), .before)
    }
    return answer(reaches(from: second, first), .after)
  }

  private func answer(_ reached: Bool?, _ yes: Answer) -> Answer {
    switch reached {
    case true?: yes
    case false?: .unordered
    case nil: .unknown
    }
  }

  /// Returns whether a path leads from the node `early` to the node `late`. Returns nil if all searches together have visited the maximum
  /// number of edges (``budget``).
  ///
  /// The search goes backward from `late`, because a node usually waits for few nodes, but nearly all nodes of a run can wait for the same
  /// node.
  private mutating func reaches(from early: Int, _ late: Int) -> Bool? {
    guard levels[early] < levels[late] else { return false }
    round += 1
    var pending = [Int32(late)]
    while let node = pending.popLast() {
      for source in graph.predecessors(of: Int(node)) {
        guard budget > 0 else { return nil }
        budget -= 1
        if Int(source) == early { return true }
        let index = Int(source)
        if positions[index] > positions[early], levels[index] > levels[early], visited[index] != round {
          visited[index] = round
          pending.append(source)
        }
      }
    }
    return false
  }
}

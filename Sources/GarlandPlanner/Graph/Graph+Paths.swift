extension Graph {
  /// Returns, for each node, the weight of the heaviest path that begins with the node, including the node's own weight. If weights are
  /// durations, this is the minimum time from the start of the node to the end of all nodes that wait for it.
  ///
  /// - Parameters:
  ///   - weights: the weight of each node, not negative.
  ///   - order: a topological order of this graph.
  public func longestPathsToEnd(weights: [Double], order: [Int32]) -> [Double] {
    var remaining = weights
    for node in order.reversed() {
      var longest = 0.0
      for edge in edges(from: Int(node)) { longest = max(longest, remaining[Int(targets[Int(edge)])]) }
      remaining[Int(node)] += longest
    }
    return remaining
  }

  /// Returns, for each node, the number of edges of the longest path to this node: 0 for nodes without predecessors.
  ///
  /// - Parameter order: a topological order of this graph.
  func levels(order: [Int32]) -> [Int32] {
    var levels = [Int32](repeating: 0, count: nodeCount)
    for node in order {
      var level: Int32 = 0
      for source in predecessors(of: Int(node)) { level = max(level, levels[Int(source)] + 1) }
      levels[Int(node)] = level
    }
    return levels
  }

  /// Returns the heaviest path of the graph, first node first. If several paths are equally heavy, the result is the path with the smaller
  /// node number at the first place where the paths differ.
  ///
  /// - Parameters:
  ///   - weights: the weight of each node, not negative.
  ///   - order: a topological order of this graph.
  func criticalPath(weights: [Double], order: [Int32]) -> [Int] {
    let remaining = longestPathsToEnd(weights: weights, order: order)
    var path: [Int] = []
    var heaviest = 0.0
    var current: Int?
    for node in 0..<nodeCount where predecessorCount(of: node) == 0 && (current == nil || remaining[node] > heaviest) {
      heaviest = remaining[node]
      current = node
    }
    while let node = current {
      path.append(node)
      current = nil
      for edge in edges(from: node) {
        let target = Int(targets[Int(edge)])
        if current.map({ remaining[target] > remaining[$0] }) ?? true { current = target }
      }
    }
    return path
  }
}

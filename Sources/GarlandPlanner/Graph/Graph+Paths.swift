extension Graph {
  /// For each node the weight of the heaviest path that begins with it, itself included: how long the rest takes at least once it can start.
  ///
  /// - Parameters:
  ///   - weights: one for each node, not negative.
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

  /// For each node how many edges the longest path to it has: 0 for those that wait for nothing.
  public func levels(order: [Int32]) -> [Int32] {
    var levels = [Int32](repeating: 0, count: nodeCount)
    for node in order {
      var level: Int32 = 0
      for source in predecessors(of: Int(node)) { level = max(level, levels[Int(source)] + 1) }
      levels[Int(node)] = level
    }
    return levels
  }

  /// The heaviest path of all, first node first. Of equally heavy ones, the one with the smaller numbers.
  ///
  /// - Parameters:
  ///   - weights: one for each node, not negative.
  ///   - order: a topological order of this graph.
  public func criticalPath(weights: [Double], order: [Int32]) -> [Int] {
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

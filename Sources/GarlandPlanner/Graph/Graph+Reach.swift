extension Graph {
  /// The direction in which edges are followed.
  enum Direction: Sendable {
    /// From a node to the nodes that wait for it.
    case forward
    /// From a node to the nodes that it waits for.
    case backward
  }

  /// Returns the given nodes and all nodes that can be reached from them in the given direction.
  func closure(of nodes: some Sequence<Int>, _ direction: Direction) -> NodeSet {
    var found = NodeSet(capacity: nodeCount)
    var pending: [Int] = []
    for node in nodes where found.insert(node) { pending.append(node) }
    while let node = pending.popLast() {
      switch direction {
      case .forward:
        for edge in edges(from: node) where found.insert(Int(targets[Int(edge)])) { pending.append(Int(targets[Int(edge)])) }
      case .backward:
        for source in predecessors(of: node) where found.insert(Int(source)) { pending.append(Int(source)) }
      }
    }
    return found
  }
}

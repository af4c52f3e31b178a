extension Graph {
  /// Which way to follow edges.
  public enum Direction: Sendable {
    /// To what waits.
    case forward
    /// To what is waited for.
    case backward
  }

  /// All nodes that can be reached from these, these included.
  public func closure(of nodes: some Sequence<Int>, _ direction: Direction) -> NodeSet {
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

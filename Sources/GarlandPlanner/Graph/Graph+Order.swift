extension Graph {
  /// Returns every node once, each node after all its predecessors; nil if the graph has a cycle.
  ///
  /// Nodes are in the order of their numbers as far as the edges allow. If a node must come before a node with a smaller number, it is
  /// placed directly before the first node that waits for it.
  func topologicalOrder() -> [Int32]? {
    var order: [Int32] = []
    order.reserveCapacity(nodeCount)
    // The state of a node: 0 is new, 1 is on the path from the root of this walk, 2 is done.
    var state = [UInt8](repeating: 0, count: nodeCount)
    var cursor = incomingOffsets
    var path: [Int32] = []
    for root in 0..<nodeCount where state[root] == 0 {
      path.append(Int32(root))
      state[root] = 1
      while let last = path.last {
        let node = Int(last)
        if cursor[node] < incomingOffsets[node + 1] {
          let predecessor = sources[Int(cursor[node])]
          cursor[node] += 1
          switch state[Int(predecessor)] {
          case 0:
            state[Int(predecessor)] = 1
            path.append(predecessor)
          case 1: return nil
          default: break
          }
        } else {
          state[node] = 2
          order.append(last)
          path.removeLast()
        }
      }
    }
    return order
  }
}

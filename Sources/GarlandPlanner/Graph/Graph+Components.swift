extension Graph {
  /// Returns the strongly connected components. Nodes that can reach each other have the same component number. If a path leads from one
  /// component to another, the component at the end of the path has the smaller number.
  ///
  /// Uses Tarjan's algorithm (SIAM J. Comput. 1, 1972) with an explicit stack instead of recursion, so that a chain of 100,000
  /// nodes does not overflow the stack.
  func stronglyConnectedComponents() -> (component: [Int32], count: Int) {
    let unseen: Int32 = -1
    var component = [Int32](repeating: -1, count: nodeCount)
    var discovery = [Int32](repeating: unseen, count: nodeCount)
    var lowest = [Int32](repeating: 0, count: nodeCount)
    var cursor = outgoingOffsets
    var open: [Int32] = []
    var path: [Int32] = []
    var clock: Int32 = 0
    var count: Int32 = 0
    for root in 0..<nodeCount where discovery[root] == unseen {
      path.append(Int32(root))
      while let last = path.last {
        let node = Int(last)
        if discovery[node] == unseen {
          discovery[node] = clock
          lowest[node] = clock
          clock += 1
          open.append(last)
        }
        var descended = false
        while cursor[node] < outgoingOffsets[node + 1] {
          let next = targets[Int(outgoing[Int(cursor[node])])]
          if discovery[Int(next)] == unseen {
            path.append(next)
            descended = true
            break
          }
          cursor[node] += 1
          // A node without a component is on the stack. For a child, its lowest number is final; for an ancestor, it is still the number of
          // its discovery.
          if component[Int(next)] < 0 { lowest[node] = min(lowest[node], lowest[Int(next)]) }
        }
        if descended { continue }
        if lowest[node] == discovery[node] {
          while let member = open.popLast() {
            component[Int(member)] = count
            if member == last { break }
          }
          count += 1
        }
        path.removeLast()
      }
    }
    return (component, Int(count))
  }
}

extension Graph {
  /// Returns every node once, each node after all its predecessors; nil if the graph has a cycle.
  ///
  /// Nodes are in the order of their numbers if the edges allow this. A node that must come before a node with a smaller number is placed
  /// directly before the first node that waits for it.
  public func topologicalOrder() -> [Int32]? {
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

  /// Returns every node once, each node after all its predecessors, in a random order. Equal seeds give equal orders. Returns nil if the
  /// graph has a cycle.
  public func randomOrder(seed: UInt64) -> [Int32]? {
    var generator = SeededGenerator(seed: seed)
    var missing = (0..<nodeCount).map { Int32(predecessorCount(of: $0)) }
    var ready = (0..<Int32(nodeCount)).filter { missing[Int($0)] == 0 }
    var order: [Int32] = []
    order.reserveCapacity(nodeCount)
    while !ready.isEmpty {
      let pick = Int.random(in: ready.indices, using: &generator)
      ready.swapAt(pick, ready.count - 1)
      let node = ready.removeLast()
      order.append(node)
      for edge in edges(from: Int(node)) {
        let target = targets[Int(edge)]
        missing[Int(target)] -= 1
        if missing[Int(target)] == 0 { ready.append(target) }
      }
    }
    return order.count == nodeCount ? order : nil
  }
}

/// A random number generator that produces the same numbers for the same seed. The algorithm is SplitMix64 (Steele, Lea and Flood, 2014).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator from a seed. Equal seeds produce equal numbers on every machine.
  public init(seed: UInt64) { state = seed }

  /// Returns the next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

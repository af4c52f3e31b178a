/// A set of nodes of one graph, with one bit for each node.
struct NodeSet: Sendable, Equatable {
  private var words: [UInt64]
  /// The number of nodes in the set.
  private(set) var count = 0

  /// Creates an empty set for a graph with `capacity` nodes.
  init(capacity: Int) {
    words = [UInt64](repeating: 0, count: (capacity + 63) / 64)
  }

  /// Returns whether the set contains a node.
  func contains(_ node: Int) -> Bool {
    words[node >> 6] & (1 << UInt64(node & 63)) != 0
  }

  /// Adds a node and returns whether the node was new.
  @discardableResult
  mutating func insert(_ node: Int) -> Bool {
    let bit: UInt64 = 1 << UInt64(node & 63)
    guard words[node >> 6] & bit == 0 else { return false }
    words[node >> 6] |= bit
    count += 1
    return true
  }

  /// Adds all nodes of another set of the same graph.
  mutating func formUnion(_ other: NodeSet) {
    var total = 0
    for index in words.indices {
      words[index] |= other.words[index]
      total += words[index].nonzeroBitCount
    }
    count = total
  }

  /// The nodes of the set, in ascending order.
  var elements: [Int] {
    var result: [Int] = []
    result.reserveCapacity(count)
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        result.append(index << 6 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
    return result
  }
}

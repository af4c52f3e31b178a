/// A set of nodes of one graph, a bit for each.
public struct NodeSet: Sendable, Equatable {
  private var words: [UInt64]
  /// How many nodes are in it.
  public private(set) var count = 0
  /// How many nodes the graph has.
  public let capacity: Int

  /// An empty set for a graph of that many nodes.
  public init(capacity: Int) {
    self.capacity = capacity
    words = [UInt64](repeating: 0, count: (capacity + 63) / 64)
  }

  /// Whether a node is in it.
  public func contains(_ node: Int) -> Bool {
    words[node >> 6] & (1 << UInt64(node & 63)) != 0
  }

  /// Adds a node; says whether it was new.
  @discardableResult
  public mutating func insert(_ node: Int) -> Bool {
    let bit: UInt64 = 1 << UInt64(node & 63)
    guard words[node >> 6] & bit == 0 else { return false }
    words[node >> 6] |= bit
    count += 1
    return true
  }

  /// Takes a node out; says whether it was there.
  @discardableResult
  public mutating func remove(_ node: Int) -> Bool {
    let bit: UInt64 = 1 << UInt64(node & 63)
    guard words[node >> 6] & bit != 0 else { return false }
    words[node >> 6] &= ~bit
    count -= 1
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

  /// The nodes in order.
  public var elements: [Int] {
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

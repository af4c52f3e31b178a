/// A list of edges, from which a ``Graph`` is made. The edges may be in any order and may be repeated.
struct EdgeList: Sendable {
  /// The number of nodes that the graph will have.
  private(set) var nodeCount: Int
  var sources: [Int32] = []
  var targets: [Int32] = []

  /// Creates a list without edges.
  init(nodeCount: Int) { self.nodeCount = nodeCount }

  /// The number of edges that were added.
  var count: Int { sources.count }

  /// Reserves memory for `count` edges.
  mutating func reserveCapacity(_ count: Int) {
    sources.reserveCapacity(count)
    targets.reserveCapacity(count)
  }

  /// Adds an edge. Both node numbers must be less than ``nodeCount``.
  mutating func append(from source: Int, to target: Int) {
    precondition(source < nodeCount && target < nodeCount, "an edge must join nodes that are there")
    sources.append(Int32(source))
    targets.append(Int32(target))
  }

  /// Adds a node without edges and returns its number.
  mutating func appendNode() -> Int {
    nodeCount += 1
    return nodeCount - 1
  }
}

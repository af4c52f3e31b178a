/// Edges in any order and possibly repeated: the input from which a ``Graph`` is made.
public struct EdgeList: Sendable {
  /// The number of nodes that the graph will have.
  public private(set) var nodeCount: Int
  var sources: [Int32] = []
  var targets: [Int32] = []

  /// Creates a list without edges.
  public init(nodeCount: Int) { self.nodeCount = nodeCount }

  /// The number of edges that were added.
  public var count: Int { sources.count }

  /// Reserves memory for this number of edges.
  public mutating func reserveCapacity(_ count: Int) {
    sources.reserveCapacity(count)
    targets.reserveCapacity(count)
  }

  /// Adds an edge. Both ends must be below `nodeCount`.
  public mutating func append(from source: Int, to target: Int) {
    precondition(source < nodeCount && target < nodeCount, "an edge must join nodes that are there")
    sources.append(Int32(source))
    targets.append(Int32(target))
  }

  /// Adds a node and returns its number.
  public mutating func appendNode() -> Int {
    nodeCount += 1
    return nodeCount - 1
  }
}

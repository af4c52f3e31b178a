/// Edges as they are found, in any order and with repetitions: what a ``Graph`` is made from.
public struct EdgeList: Sendable {
  /// How many nodes the graph will have.
  public private(set) var nodeCount: Int
  var sources: [Int32] = []
  var targets: [Int32] = []

  /// A list without edges.
  public init(nodeCount: Int) { self.nodeCount = nodeCount }

  /// How many edges were added.
  public var count: Int { sources.count }

  /// Makes room for that many edges.
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

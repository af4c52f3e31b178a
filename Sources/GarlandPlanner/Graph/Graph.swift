/// A directed graph over the nodes `0..<nodeCount`, stored as compressed sparse rows: five arrays of 32-bit integers.
///
/// ```swift
/// var edges = EdgeList(nodeCount: 3)
/// edges.append(from: 0, to: 2)
/// edges.append(from: 1, to: 2)
/// let graph = Graph(edges)
/// graph.predecessors(of: 2)  // [0, 1]
/// ```
///
/// An edge leads from its source node to its target node; the target waits for the source. Edges are numbered from 0, ordered by target and
/// then by source. At most one edge leads from one node to another.
public struct Graph: Sendable {
  /// The number of nodes.
  public let nodeCount: Int
  /// The source node of each edge. The number of the edge is the index.
  public let sources: [Int32]
  /// The target node of each edge. The number of the edge is the index.
  public let targets: [Int32]
  let incomingOffsets: [Int32]
  let outgoingOffsets: [Int32]
  let outgoing: [Int32]

  /// The number of edges.
  public var edgeCount: Int { sources.count }

  /// Returns the numbers of the edges that lead to a node.
  public func edges(to node: Int) -> Range<Int> {
    Int(incomingOffsets[node])..<Int(incomingOffsets[node + 1])
  }

  /// Returns the numbers of the edges that lead away from a node, ordered by their target node.
  func edges(from node: Int) -> ArraySlice<Int32> {
    outgoing[Int(outgoingOffsets[node])..<Int(outgoingOffsets[node + 1])]
  }

  /// Returns the nodes that a node waits for, in order.
  public func predecessors(of node: Int) -> ArraySlice<Int32> {
    sources[edges(to: node)]
  }

  /// Returns the nodes that wait for a node, in ascending order.
  func successors(of node: Int) -> [Int32] {
    edges(from: node).map { targets[Int($0)] }
  }

  /// Returns the number of nodes that a node waits for.
  func predecessorCount(of node: Int) -> Int {
    Int(incomingOffsets[node + 1] - incomingOffsets[node])
  }

  /// Returns the number of the edge between two nodes, or nil if no edge connects them.
  func edge(from source: Int, to target: Int) -> Int? {
    var low = Int(incomingOffsets[target])
    var high = Int(incomingOffsets[target + 1])
    while low < high {
      let middle = (low + high) / 2
      if Int(sources[middle]) < source { low = middle + 1 } else { high = middle }
    }
    return low < Int(incomingOffsets[target + 1]) && Int(sources[low]) == source ? low : nil
  }
}

extension Graph {
  /// Creates the graph of a list of edges. Repeated edges become one edge.
  init(_ list: EdgeList) {
    var ignored: [Int32] = []
    self.init(list, numbers: &ignored, wantsNumbers: false)
  }

  /// Creates the graph of a list of edges. Repeated edges become one edge.
  ///
  /// - Parameter numbers: receives, for each edge of the list in order, the number of the edge in the graph.
  init(_ list: EdgeList, numbers: inout [Int32]) {
    self.init(list, numbers: &numbers, wantsNumbers: true)
  }

  private init(_ list: EdgeList, numbers: inout [Int32], wantsNumbers: Bool) {
    let nodeCount = list.nodeCount
    // Two stable counting sorts, by source and then by target, order the edges in linear time.
    let bySource = Graph.countingSort((0..<Int32(list.sources.count)).map(\.self), by: list.sources, keyCount: nodeCount)
    let sorted = Graph.countingSort(bySource, by: list.targets, keyCount: nodeCount)
    var sources: [Int32] = []
    var targets: [Int32] = []
    sources.reserveCapacity(sorted.count)
    targets.reserveCapacity(sorted.count)
    if wantsNumbers { numbers = [Int32](repeating: 0, count: sorted.count) }
    for entry in sorted {
      let source = list.sources[Int(entry)]
      let target = list.targets[Int(entry)]
      if sources.last != source || targets.last != target {
        sources.append(source)
        targets.append(target)
      }
      if wantsNumbers { numbers[Int(entry)] = Int32(sources.count - 1) }
    }
    self.nodeCount = nodeCount
    incomingOffsets = Graph.offsets(of: targets, keyCount: nodeCount)
    outgoingOffsets = Graph.offsets(of: sources, keyCount: nodeCount)
    outgoing = Graph.countingSort((0..<Int32(sources.count)).map(\.self), by: sources, keyCount: nodeCount)
    self.sources = sources
    self.targets = targets
  }

  private static func offsets(of keys: [Int32], keyCount: Int) -> [Int32] {
    var offsets = [Int32](repeating: 0, count: keyCount + 1)
    for key in keys { offsets[Int(key) + 1] += 1 }
    for index in 0..<keyCount { offsets[index + 1] += offsets[index] }
    return offsets
  }

  private static func countingSort(_ entries: [Int32], by keys: [Int32], keyCount: Int) -> [Int32] {
    var next = offsets(of: keys, keyCount: keyCount)
    var sorted = [Int32](repeating: 0, count: entries.count)
    for entry in entries {
      let key = Int(keys[Int(entry)])
      sorted[Int(next[key])] = entry
      next[key] += 1
    }
    return sorted
  }
}

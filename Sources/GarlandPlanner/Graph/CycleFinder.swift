/// Finds cycles of a graph to report to the user. It selects short cycles that have no edge in common.
struct CycleFinder {
  /// The maximum number of start nodes. In each strongly connected component, the search for a shortest cycle starts from at most this many
  /// nodes, one after another.
  static let largestNumberOfStarts = 256

  private let graph: Graph
  private var removed: [Bool]

  /// Returns up to `limit` cycles. No two of them have an edge in common.
  ///
  /// Each cycle is a list of the numbers of its edges, in order. In each strongly connected component, the shortest cycle comes first. If
  /// the function returns fewer than `limit` cycles, every other cycle of the graph shares an edge with one of them.
  static func cycles(of graph: Graph, limit: Int) -> [[Int]] {
    var finder = CycleFinder(graph: graph, removed: [Bool](repeating: false, count: graph.edgeCount))
    var found: [[Int]] = []
    // Swift 6.3.1 optimizes `reverse()` of an array of arrays in one of two ways at random, so two builds would differ.
    var pending = [[Int]](finder.tangles(among: nil).reversed())
    while let tangle = pending.popLast(), found.count < limit {
      guard let cycle = finder.shortestCycle(in: tangle) else { continue }
      found.append(cycle)
      for edge in cycle { finder.removed[edge] = true }
      pending.append(contentsOf: finder.tangles(among: tangle).reversed())
    }
    return found
  }

  /// Returns the groups of nodes that wait for each other in a cycle (the strongly connected components that contain a cycle). Each group
  /// is a sorted list of nodes, and the groups are sorted by their first nodes. Edges in `removed` are ignored.
  ///
  /// - Parameter nodes: the nodes of the graph to consider; nil for all nodes.
  private func tangles(among nodes: [Int]?) -> [[Int]] {
    let members = nodes ?? Array(0..<graph.nodeCount)
    var local = [Int: Int](minimumCapacity: nodes?.count ?? 0)
    if nodes != nil {
      for (index, node) in members.enumerated() { local[node] = index }
    }
    var edges = EdgeList(nodeCount: members.count)
    var loops: Set<Int> = []
    for (index, node) in members.enumerated() {
      for edge in graph.edges(from: node) where !removed[Int(edge)] {
        let target = Int(graph.targets[Int(edge)])
        guard let position = nodes == nil ? target : local[target] else { continue }
        edges.append(from: index, to: position)
        if position == index { loops.insert(index) }
      }
    }
    let (component, count) = Graph(edges).stronglyConnectedComponents()
    var sizes = [Int](repeating: 0, count: count)
    for number in component { sizes[Int(number)] += 1 }
    var place = [Int](repeating: -1, count: count)
    var result: [[Int]] = []
    for (index, number) in component.enumerated() where sizes[Int(number)] > 1 || loops.contains(index) {
      if place[Int(number)] < 0 {
        place[Int(number)] = result.count
        result.append([])
      }
      result[place[Int(number)]].append(members[index])
    }
    return result
  }

  private func shortestCycle(in tangle: [Int]) -> [Int]? {
    let members = Set(tangle)
    var best: [Int]?
    for start in tangle.prefix(CycleFinder.largestNumberOfStarts) {
      if let cycle = shortestCycle(through: start, within: members, shorterThan: best?.count) { best = cycle }
      if best?.count == 1 { break }
    }
    return best
  }

  /// Searches breadth-first from the node `start` until an edge leads back to this node. Returns the cycle that this edge closes; nil if
  /// there is no cycle within `members` that is shorter than `limit`.
  private func shortestCycle(through start: Int, within members: Set<Int>, shorterThan limit: Int?) -> [Int]? {
    var cameBy: [Int: Int] = [:]
    var layer = [start]
    var length = 1
    while !layer.isEmpty, limit.map({ length < $0 }) ?? true {
      var next: [Int] = []
      for node in layer {
        for edge in graph.edges(from: node) where !removed[Int(edge)] {
          let target = Int(graph.targets[Int(edge)])
          if target == start {
            var path = [Int(edge)]
            var place = node
            while place != start, let via = cameBy[place] {
              path.append(via)
              place = Int(graph.sources[via])
            }
            return path.reversed()
          }
          if members.contains(target), cameBy[target] == nil {
            cameBy[target] = Int(edge)
            next.append(target)
          }
        }
      }
      layer = next
      length += 1
    }
    return nil
  }
}

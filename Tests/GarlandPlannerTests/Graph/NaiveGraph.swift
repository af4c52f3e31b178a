import GarlandText

@testable import GarlandPlanner

/// A graph as a list of pairs, with the simplest algorithms, for comparison with the compact graph.
struct NaiveGraph {
  let nodeCount: Int
  private(set) var edges: [(Int, Int)]

  init(_ nodeCount: Int, _ edges: [(Int, Int)]) {
    self.nodeCount = nodeCount
    self.edges = edges
  }

  /// A random graph; an acyclic one has edges only along a hidden random order of the nodes.
  static func random(nodes: Int, edges: Int, acyclic: Bool, using generator: inout SeededGenerator) -> NaiveGraph {
    let hidden = Array(0..<nodes).shuffled(using: &generator)
    var pairs: [(Int, Int)] = []
    for _ in 0..<edges where nodes > 1 || !acyclic {
      var first = Int.random(in: 0..<nodes, using: &generator)
      var second = Int.random(in: 0..<nodes, using: &generator)
      if acyclic {
        while first == second { second = Int.random(in: 0..<nodes, using: &generator) }
        if first > second { swap(&first, &second) }
        pairs.append((hidden[first], hidden[second]))
      } else {
        pairs.append((first, second))
      }
    }
    return NaiveGraph(nodes, pairs)
  }

  var graph: Graph {
    var list = EdgeList(nodeCount: nodeCount)
    for (source, target) in edges { list.append(from: source, to: target) }
    return Graph(list)
  }

  /// `result[a][b]`: whether a path of at least one edge leads from `a` to `b` (Warshall).
  var reach: [[Bool]] {
    var reach = [[Bool]](repeating: [Bool](repeating: false, count: nodeCount), count: nodeCount)
    for (source, target) in edges { reach[source][target] = true }
    for middle in 0..<nodeCount {
      for start in 0..<nodeCount where reach[start][middle] {
        for end in 0..<nodeCount where reach[middle][end] { reach[start][end] = true }
      }
    }
    return reach
  }

  func longestFrom(_ node: Int, weights: [Double]) -> Double {
    weights[node] + (edges.filter { $0.0 == node }.map { longestFrom($0.1, weights: weights) }.max() ?? 0)
  }
}

import GarlandText
import Testing

@testable import GarlandPlanner

struct GraphTests {
  static let seeds = Array(UInt64(1)...60)

  @Test func `a graph sorts its edges and removes duplicate edges`() {
    var list = EdgeList(nodeCount: 4)
    for (source, target) in [(2, 3), (0, 3), (2, 3), (1, 0), (0, 3), (3, 1)] { list.append(from: source, to: target) }
    var numbers: [Int32] = []
    let graph = Graph(list, numbers: &numbers)
    #expect(graph.edgeCount == 4)
    #expect(zip(graph.sources, graph.targets).map { [$0, $1] } == [[1, 0], [3, 1], [0, 3], [2, 3]])
    #expect(numbers == [3, 2, 3, 0, 2, 1])
    #expect(graph.successors(of: 0) == [3])
    #expect(Array(graph.predecessors(of: 3)) == [0, 2])
    #expect(graph.edge(from: 2, to: 3) == 3)
    #expect(graph.edge(from: 3, to: 2) == nil)
    #expect(graph.edge(from: 1, to: 3) == nil)
    #expect(graph.predecessorCount(of: 2) == 0)
    #expect(graph.successors(of: 2) == [3])
  }

  @Test func `a graph without nodes has an empty order, no components, no critical path and no cycles`() {
    let graph = Graph(EdgeList(nodeCount: 0))
    #expect(graph.topologicalOrder() == [])
    #expect(graph.stronglyConnectedComponents().count == 0)
    #expect(graph.criticalPath(weights: [], order: []) == [])
    #expect(CycleFinder.cycles(of: graph, limit: 3).isEmpty)
  }

  @Test(arguments: seeds) func `the successors and predecessors of each node agree with the graph's list of edges`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let naive = NaiveGraph.random(nodes: 1 + Int(seed % 23), edges: Int(seed) * 2, acyclic: false, using: &generator)
    let graph = naive.graph
    for node in 0..<naive.nodeCount {
      #expect(graph.successors(of: node).map(Int.init) == Set(naive.edges.filter { $0.0 == node }.map(\.1)).sorted())
      #expect(graph.predecessors(of: node).map(Int.init) == Set(naive.edges.filter { $0.1 == node }.map(\.0)).sorted())
    }
  }

  @Test(arguments: seeds) func `two nodes of a graph are in the same strongly connected component only if each reaches the other`(
    seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    let naive = NaiveGraph.random(nodes: 1 + Int(seed % 17), edges: Int(seed % 31), acyclic: false, using: &generator)
    let (component, count) = naive.graph.stronglyConnectedComponents()
    let reach = naive.reach
    #expect(Set(component) == Set(0..<Int32(count)))
    for first in 0..<naive.nodeCount {
      for second in 0..<naive.nodeCount where first != second {
        #expect((component[first] == component[second]) == (reach[first][second] && reach[second][first]))
        if reach[first][second] { #expect(component[first] >= component[second]) }
      }
    }
  }

  @Test(arguments: seeds) func `in a topological order of a graph, each edge leads to a later node`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let naive = NaiveGraph.random(nodes: 2 + Int(seed % 40), edges: Int(seed), acyclic: true, using: &generator)
    let order = try #require(naive.graph.topologicalOrder())
    #expect(Set(order).count == naive.nodeCount && order.count == naive.nodeCount)
    var position = [Int](repeating: 0, count: naive.nodeCount)
    for (index, node) in order.enumerated() { position[Int(node)] = index }
    #expect(naive.edges.allSatisfy { position[$0.0] < position[$0.1] })
  }

  @Test(arguments: seeds) func `a topological order of a graph exists only if the graph has no cycle`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let naive = NaiveGraph.random(nodes: 2 + Int(seed % 9), edges: Int(seed % 11), acyclic: false, using: &generator)
    let reach = naive.reach
    let isCyclic = (0..<naive.nodeCount).contains { reach[$0][$0] }
    #expect((naive.graph.topologicalOrder() == nil) == isCyclic)
    #expect(CycleFinder.cycles(of: naive.graph, limit: 99).isEmpty != isCyclic)
  }

  @Test func `a topological order is in the order of the node numbers unless an edge requires another order`() {
    #expect(NaiveGraph(5, [(0, 2), (2, 4)]).graph.topologicalOrder() == [0, 1, 2, 3, 4])
    #expect(NaiveGraph(5, [(4, 1)]).graph.topologicalOrder() == [0, 4, 1, 2, 3])
    #expect(NaiveGraph(4, [(3, 2), (2, 0)]).graph.topologicalOrder() == [3, 2, 0, 1])
  }

  @Test(arguments: seeds) func `a graph has no cycle after the edges of all found cycles are removed`(
    seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    let naive = NaiveGraph.random(nodes: 2 + Int(seed % 9), edges: Int(seed % 23), acyclic: false, using: &generator)
    let graph = naive.graph
    let cycles = CycleFinder.cycles(of: graph, limit: 1000)
    var used: Set<Int> = []
    for cycle in cycles {
      for (edge, next) in zip(cycle, cycle.dropFirst() + [cycle[0]]) {
        #expect(graph.targets[edge] == graph.sources[next])
        #expect(used.insert(edge).inserted)
      }
      #expect(Set(cycle.map { graph.sources[$0] }).count == cycle.count)
    }
    var rest = EdgeList(nodeCount: naive.nodeCount)
    for edge in 0..<graph.edgeCount where !used.contains(edge) { rest.append(from: Int(graph.sources[edge]), to: Int(graph.targets[edge])) }
    #expect(Graph(rest).topologicalOrder() != nil)
  }

  @Test func `if cycles of a graph overlap, the shortest cycle is found first`() {
    // A cycle of six nodes, with an edge that closes a cycle of three nodes, and a separate node with an edge to itself.
    let graph = NaiveGraph(7, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (3, 1), (6, 6)]).graph
    let cycles = CycleFinder.cycles(of: graph, limit: 10).map { $0.map { Int(graph.sources[$0]) } }
    #expect(cycles == [[1, 2, 3], [6]] || cycles == [[1, 2, 3], [0, 1, 2, 3, 4, 5], [6]])
    #expect(CycleFinder.cycles(of: graph, limit: 1).count == 1)
  }

  @Test(arguments: seeds) func `the critical path of a random graph is as long as the longest path that a naive search finds`(seed: UInt64)
    throws
  {
    var generator = SeededGenerator(seed: seed)
    let naive = NaiveGraph.random(nodes: 2 + Int(seed % 12), edges: Int(seed % 25), acyclic: true, using: &generator)
    let weights = (0..<naive.nodeCount).map { _ in Double(Int.random(in: 0...9, using: &generator)) }
    let graph = naive.graph
    let order = try #require(graph.topologicalOrder())
    let longest = graph.longestPathsToEnd(weights: weights, order: order)
    #expect(longest == (0..<naive.nodeCount).map { naive.longestFrom($0, weights: weights) })
    let path = graph.criticalPath(weights: weights, order: order)
    #expect(zip(path, path.dropFirst()).allSatisfy { graph.edge(from: $0, to: $1) != nil })
    #expect(path.reduce(0) { $0 + weights[$1] } == longest.max())
    let ones = [Double](repeating: 1, count: naive.nodeCount)
    let reversed = NaiveGraph(naive.nodeCount, naive.edges.map { ($0.1, $0.0) })
    #expect(graph.levels(order: order).map { Double($0) + 1 } == (0..<naive.nodeCount).map { reversed.longestFrom($0, weights: ones) })
  }

  @Test(arguments: seeds) func `for a random graph, the reachable nodes and the topological order agree with a naive algorithm`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let naive = NaiveGraph.random(nodes: 2 + Int(seed % 20), edges: Int(seed % 37), acyclic: true, using: &generator)
    let graph = naive.graph
    let reach = naive.reach
    let order = try #require(graph.topologicalOrder())
    var oracle = OrderOracle(graph, order: order, levels: graph.levels(order: order), budget: 100_000)
    for first in 0..<naive.nodeCount {
      let forward = graph.closure(of: [first], .forward)
      let backward = graph.closure(of: [first], .backward)
      for second in 0..<naive.nodeCount {
        #expect(forward.contains(second) == (first == second || reach[first][second]))
        #expect(backward.contains(second) == (first == second || reach[second][first]))
        let expected: OrderOracle.Answer = reach[first][second] ? .before : reach[second][first] ? .after : .unordered
        #expect(oracle.order(of: first, and: second) == expected)
      }
    }
  }

  @Test func `if the search for a path between two graph nodes exceeds its limit, the result is 'unknown'`() throws {
    let graph = NaiveGraph(50, (0..<49).map { ($0, $0 + 1) }).graph
    let order = try #require(graph.topologicalOrder())
    var oracle = OrderOracle(graph, order: order, levels: graph.levels(order: order), budget: 10)
    #expect(oracle.order(of: 0, and: 49) == .unknown)
    #expect(oracle.budget == 0)
  }

  @Test func `if a node is added twice to a set of graph nodes, the set contains the node once`() {
    var set = NodeSet(capacity: 130)
    #expect(set.insert(0) && set.insert(64) && set.insert(129) && !set.insert(64))
    #expect(set.elements == [0, 64, 129])
    #expect(set.count == 3 && set.contains(129) && !set.contains(1))
  }

  @Test(arguments: ["chain", "star", "lattice", "random"]) func `a graph of 20,000 nodes is searched without recursion`(shape: String)
    throws
  {
    let count = 20_000
    var list = EdgeList(nodeCount: count)
    var generator = SeededGenerator(seed: 1)
    for node in 1..<count {
      switch shape {
      case "chain": list.append(from: node - 1, to: node)
      case "star": list.append(from: 0, to: node)
      case "lattice":
        if node % 100 != 0 { list.append(from: node - 1, to: node) }
        if node >= 100 { list.append(from: node - 100, to: node) }
      default:
        for _ in 0..<3 { list.append(from: Int.random(in: 0..<node, using: &generator), to: node) }
      }
    }
    let graph = Graph(list)
    let order = try #require(graph.topologicalOrder())
    #expect(order.count == count)
    #expect(graph.stronglyConnectedComponents().count == count)
    #expect(graph.closure(of: [0], .forward).count == count)
    let depth = graph.criticalPath(weights: [Double](repeating: 1, count: count), order: order).count
    switch shape {
    case "chain": #expect(depth == count)
    case "star": #expect(depth == 2)
    case "lattice": #expect(depth == 299)
    default: #expect(depth > 10)
    }
  }
}

/// The searches behind ``CleanupWaits``, with the memory they share.
struct CleanupSearch {
  private let graph: Graph
  private let cleanups: [Int: [Int]]
  private let positions: [Int32]
  /// The round in which a node was last found, among the users and among those to leave out.
  private var usedIn: [Int32]
  private var excludedIn: [Int32]
  private var round: Int32 = 0
  /// The node that stands for `done` of each step; -1 where it is not known yet.
  private var doneNodes: [Int32]

  init(graph: Graph, order: [Int32], cleanups: [Int: [Int]]) {
    self.graph = graph
    self.cleanups = cleanups
    var positions = [Int32](repeating: 0, count: graph.nodeCount)
    for (position, node) in order.enumerated() { positions[Int(node)] = Int32(position) }
    self.positions = positions
    usedIn = [Int32](repeating: 0, count: graph.nodeCount)
    excludedIn = usedIn
    doneNodes = [Int32](repeating: -1, count: graph.nodeCount)
  }

  /// Whether, of what can be reached from a step, only its own cleanups are to be left out, and only the step itself leads to them.
  func canShareJoins(for made: Int) -> Bool {
    for cleanup in cleanups[made] ?? [] {
      guard graph.successorCount(of: cleanup) == 0 else { return false }
      for source in graph.predecessors(of: cleanup) where positions[Int(source)] > positions[made] { return false }
    }
    return true
  }

  /// Those users of a step that no other user depends on; nil when more than `limit` steps would have to be looked at.
  mutating func lastUsers(of made: Int, limit: Int) -> [Int]? {
    round += 1
    let own = cleanups[made] ?? []
    for cleanup in own { excludedIn[cleanup] = round }
    var users: [Int] = []
    var next = 0
    var furthest = positions[made]
    collectSuccessors(of: made, into: &users)
    while next < users.count {
      guard users.count <= limit else { return nil }
      furthest = max(furthest, positions[users[next]])
      collectSuccessors(of: users[next], into: &users)
      next += 1
    }
    exclude(own + cleanupsOfWhatTheyUse(own), upTo: furthest)
    let kept = users.filter { excludedIn[$0] != round }.sorted()
    return kept.filter { user in
      !graph.edges(from: user).contains { edge in
        let target = Int(graph.targets[Int(edge)])
        return usedIn[target] == round && excludedIn[target] != round
      }
    }
  }

  private mutating func collectSuccessors(of node: Int, into users: inout [Int]) {
    for edge in graph.edges(from: node) {
      let target = Int(graph.targets[Int(edge)])
      if usedIn[target] != round, excludedIn[target] != round {
        usedIn[target] = round
        users.append(target)
      }
    }
  }

  /// The cleanups of those users that lead to one of these cleanups.
  private func cleanupsOfWhatTheyUse(_ own: [Int]) -> [Int] {
    var seen: Set<Int> = []
    var pending = own
    var found: [Int] = []
    while let node = pending.popLast() {
      for source in graph.predecessors(of: node) where usedIn[Int(source)] == round && seen.insert(Int(source)).inserted {
        found.append(contentsOf: (cleanups[Int(source)] ?? []).filter { !own.contains($0) })
        pending.append(Int(source))
      }
    }
    return found
  }

  /// Marks nodes and what comes after them, as far as a user can be among it.
  private mutating func exclude(_ nodes: [Int], upTo furthest: Int32) {
    var pending = nodes
    for node in nodes { excludedIn[node] = round }
    while let node = pending.popLast() {
      for edge in graph.edges(from: node) {
        let target = Int(graph.targets[Int(edge)])
        if excludedIn[target] != round, positions[target] <= furthest {
          excludedIn[target] = round
          pending.append(target)
        }
      }
    }
  }

  /// The node that ends when a step and all that depends on it have ended.
  mutating func done(_ root: Int, _ edges: inout RawEdges) -> Int {
    var path = [root]
    while let node = path.last {
      if doneNodes[node] >= 0 {
        path.removeLast()
        continue
      }
      let missing = graph.successors(of: node).map(Int.init).filter { doneNodes[$0] < 0 }
      guard missing.isEmpty else {
        path.append(contentsOf: missing)
        continue
      }
      path.removeLast()
      let last = Set(graph.edges(from: node).map { doneNodes[Int(graph.targets[Int($0)])] }).sorted()
      switch last.count {
      case 0: doneNodes[node] = Int32(node)
      case 1: doneNodes[node] = last[0]
      default:
        let join = edges.appendJoin()
        for end in last { edges.append(from: Int(end), to: join, .cleanupWait) }
        doneNodes[node] = Int32(join)
      }
    }
    return Int(doneNodes[root])
  }
}

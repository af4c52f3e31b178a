/// Searches the graph for the steps that one cleanup waits for. In this type, a user of a step is a node that depends on the step, directly
/// or not. ``CleanupWaits`` uses one value of this type for all cleanups, so that its memory is reused.
struct CleanupSearch {
  /// A set of nodes that can be emptied in constant time. Each node stores the number of the search that last marked it; only marks of the
  /// current search count.
  private struct Marks {
    private var numbers: [Int32]
    private var current: Int32 = 0

    init(_ count: Int) { numbers = [Int32](repeating: 0, count: count) }

    mutating func restart() { current += 1 }
    func contains(_ node: Int) -> Bool { numbers[node] == current }

    /// Marks a node. Returns whether it was not marked before.
    mutating func insert(_ node: Int) -> Bool {
      if numbers[node] == current { return false }
      numbers[node] = current
      return true
    }
  }

  private let graph: Graph
  private let order: [Int32]
  /// The position of each node in `order`, the topological order of the graph.
  let positions: [Int32]
  private let cleanups: [Int: [Int]]
  private var queue: OrderedQueue
  private var used: Marks
  private var excluded: Marks
  private var leading: Marks
  /// For each step, a node that ends when the step and all nodes that depend on it have ended; -1 if no such node has been determined yet.
  private var doneNodes: [Int32]

  init(graph: Graph, order: [Int32], cleanups: [Int: [Int]]) {
    self.graph = graph
    self.order = order
    self.cleanups = cleanups
    var positions = [Int32](repeating: 0, count: graph.nodeCount)
    for (position, node) in order.enumerated() { positions[Int(node)] = Int32(position) }
    self.positions = positions
    queue = OrderedQueue(bound: graph.nodeCount)
    used = Marks(graph.nodeCount)
    excluded = used
    leading = used
    doneNodes = [Int32](repeating: -1, count: graph.nodeCount)
  }

  // MARK: One by one

  /// Returns the last users of the step `made`. The users of a step are the nodes that depend on it. A user is a last user if no other user
  /// waits for it. Nodes that the search leaves out, such as the step's own cleanups, do not count as users. Returns nil if there are more
  /// than `limit` users.
  mutating func lastUsers(of made: Int, limit: Int) -> [Int]? {
    let own = cleanups[made] ?? []
    guard var users = users(of: made, leavingOut: own, limit: limit) else { return nil }
    let inner = innerCleanups(own)
    if !inner.isEmpty {
      guard let rest = self.users(of: made, leavingOut: own + inner, limit: limit) else { return nil }
      users = rest
    }
    return users.filter { user in
      !graph.edges(from: user).contains { edge in
        let target = Int(graph.targets[Int(edge)])
        return used.contains(target) && !excluded.contains(target)
      }
    }
    .sorted()
  }

  /// Returns the nodes that depend on the step `made`, in topological order. Nodes in `leavingOut`, and all nodes that depend on one of
  /// them, are left out. Returns nil if the result would have more than `limit` nodes.
  ///
  /// The search visits the nodes in topological order, so that it reaches a node only after all nodes on which this node depends. The
  /// search ends at the last node that depends on the step.
  private mutating func users(of made: Int, leavingOut: [Int], limit: Int) -> [Int]? {
    used.restart()
    excluded.restart()
    queue.restart(after: Int(positions[made]))
    var users: [Int] = []
    // The number of users that are still in the queue.
    var open = 0
    for node in leavingOut where excluded.insert(node) { queue.insert(Int(positions[node])) }
    var node = made
    while true {
      for edge in graph.edges(from: node) {
        let target = Int(graph.targets[Int(edge)])
        if excluded.contains(target) { continue }
        if excluded.contains(node) {
          _ = excluded.insert(target)
          if used.contains(target) { open -= 1 } else { queue.insert(Int(positions[target])) }
        } else if used.insert(target) {
          open += 1
          queue.insert(Int(positions[target]))
        }
      }
      guard open > 0, let next = queue.popFirst() else { return users }
      node = Int(order[next])
      guard !excluded.contains(node) else { continue }
      open -= 1
      users.append(node)
      guard users.count <= limit else { return nil }
    }
  }

  /// Returns the inner cleanups: the cleanups of the users on which a cleanup in `own` depends, directly or indirectly. A user is a node
  /// that the last call of `users` has found.
  ///
  /// ``lastUsers(of:limit:)`` leaves out the inner cleanups, as well as the cleanups in `own`.
  private func innerCleanups(_ own: [Int]) -> [Int] {
    var seen: Set<Int> = []
    var pending = own
    var found: [Int] = []
    while let node = pending.popLast() {
      for source in graph.predecessors(of: node)
      where used.contains(Int(source)) && !excluded.contains(Int(source)) && seen.insert(Int(source)).inserted {
        found.append(contentsOf: (cleanups[Int(source)] ?? []).filter { !own.contains($0) })
        pending.append(Int(source))
      }
    }
    return found
  }

  // MARK: With joins

  /// Returns the nodes for which the cleanups of the step `made` must wait. When these nodes have ended, all steps that depend on `made`
  /// have ended, except the left-out nodes. A left-out node is a node for which a cleanup can't wait, such as the cleanup itself. Returns
  /// nil if the search visits more than `limit` nodes.
  ///
  /// The search begins with the nodes that depend on `made`. There are two cases for each node that it finds:
  /// - A left-out node depends on the found node: for example, a cleanup uses the value of the found node. The search then continues with
  ///   the nodes that depend on the found node. If all these nodes are left out, the result contains the found node.
  /// - No left-out node depends on the found node. The result then contains the node that `done` returns for the found node. The returned
  ///   node ends when the found node and all nodes that depend on the found node have ended. It may be a join (a node that only waits for
  ///   other nodes).
  mutating func ends(of made: Int, limit: Int, _ edges: inout RawEdges) -> [Int]? {
    let own = cleanups[made] ?? []
    excluded.restart()
    guard markLeading(to: own, after: made, limit: limit) else { return nil }
    let inner = leadingUsers(of: made).flatMap { (cleanups[$0] ?? []).filter { !own.contains($0) } }
    guard let leftOut = exclude(own + inner, limit: limit), markLeading(to: leftOut, after: made, limit: limit) else { return nil }
    var ends: Set<Int> = []
    for user in [made] + leadingUsers(of: made) {
      var isLast = true
      for edge in graph.edges(from: user) {
        let target = Int(graph.targets[Int(edge)])
        if excluded.contains(target) { continue }
        isLast = false
        if !leading.contains(target) { ends.insert(done(target, &edges)) }
      }
      if isLast, user != made { ends.insert(user) }
    }
    return ends.sorted()
  }

  /// Marks each node on which a node in `nodes` depends, directly or through other nodes. Only nodes after the step `made` in the
  /// topological order are marked. Returns false if more than `limit` nodes would be marked.
  private mutating func markLeading(to nodes: [Int], after made: Int, limit: Int) -> Bool {
    leading.restart()
    var pending = nodes
    var count = 0
    while let node = pending.popLast() {
      for source in graph.predecessors(of: node) where positions[Int(source)] > positions[made] && leading.insert(Int(source)) {
        count += 1
        guard count <= limit else { return false }
        pending.append(Int(source))
      }
    }
    return true
  }

  /// Returns the nodes on the paths from the step `made` to the excluded nodes, such as the cleanups of the step. Each path ends at its
  /// first excluded node. Neither `made` nor an excluded node is returned.
  private mutating func leadingUsers(of made: Int) -> [Int] {
    used.restart()
    var found: [Int] = []
    var pending = [made]
    while let node = pending.popLast() {
      for edge in graph.edges(from: node) {
        let target = Int(graph.targets[Int(edge)])
        if leading.contains(target), !excluded.contains(target), used.insert(target) {
          found.append(target)
          pending.append(target)
        }
      }
    }
    return found
  }

  /// Excludes the given nodes, and all nodes that depend on them, from the search. Returns all excluded nodes; nil if more than `limit`
  /// nodes are excluded.
  private mutating func exclude(_ nodes: [Int], limit: Int) -> [Int]? {
    excluded.restart()
    var found: [Int] = []
    for node in nodes where excluded.insert(node) { found.append(node) }
    var next = 0
    while next < found.count {
      guard found.count <= limit else { return nil }
      for edge in graph.edges(from: found[next]) {
        let target = Int(graph.targets[Int(edge)])
        if excluded.insert(target) { found.append(target) }
      }
      next += 1
    }
    return found
  }

  /// Returns a node that ends when the step `root` and all nodes that depend on `root` have ended. If no such node exists, adds a join (a
  /// node that only waits for other nodes).
  private mutating func done(_ root: Int, _ edges: inout RawEdges) -> Int {
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

/// Plans with a part of the steps of another plan.
extension Plan {
  /// Returns the plan of the given steps, all steps that they depend on, and the cleanups of all these steps.
  ///
  /// - Parameter indexes: the indexes of the given steps.
  public func selecting(_ indexes: [Int]) -> Plan { restricted(to: withNeeds(indexes)) }

  /// Returns the given steps, and all nodes that a plan of these steps must also contain.
  func withNeeds(_ indexes: [Int]) -> NodeSet {
    var found = NodeSet(capacity: graph.nodeCount)
    var pending: [Int] = []
    for index in indexes where found.insert(index) { pending.append(index) }
    let listeners = listeners()
    while let node = pending.popLast() {
      for need in directNeeds(of: node, listeners) where found.insert(need) { pending.append(need) }
    }
    return found
  }

  /// Returns the nodes that a plan with `node` must also contain, for example the dependencies of the node. The nodes that these nodes need
  /// in turn are not included.
  func directNeeds(of node: Int, _ listeners: [Int: (named: [Int], calling: [Int])]) -> [Int] {
    // Without the step that sends the request, no request arrives at a listening step.
    var needs = listeners[node]?.calling ?? []
    for edge in graph.edges(to: node) where edges.isDependency(edge) { needs.append(Int(graph.sources[edge])) }
    // A step that uses the URL of a listening step needs that step.
    if steps.indices.contains(node) { needs += addressed(by: steps[node]).map(\.index) }
    for edge in graph.edges(from: node) where edges.facts[Int(edge)].contains(.cleanup) { needs.append(Int(graph.targets[Int(edge)])) }
    return needs
  }

  /// Returns the plan that contains only the given nodes.
  func restricted(to nodes: NodeSet) -> Plan {
    let result = PlanBuilder(origin: origin).build(nodes.elements.map { steps[$0].number })
    // A subset of the steps of a plan has no cycle, because it has no dependencies that the whole plan does not have. A cleanup may wait
    // for fewer steps, which cannot create a cycle.
    return result.plan ?? self
  }
}

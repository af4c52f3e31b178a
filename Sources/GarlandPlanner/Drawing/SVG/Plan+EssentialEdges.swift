extension Plan {
  /// The maximum number of nodes for which redundant edges are removed from a drawing. For more nodes, the sets of predecessors would need
  /// too much memory.
  private static let mostReduced = 12_000

  /// Returns, for each edge, whether a drawing must show it. An edge is redundant if a longer path between the same two nodes already makes
  /// the target step wait for the source step.
  ///
  /// Some edges let their target step run only if their source step has passed. Such an edge is redundant only if all edges of the longer
  /// path are of this kind.
  func essentialEdges() -> [Bool] {
    var essential = [Bool](repeating: true, count: graph.edgeCount)
    guard graph.nodeCount <= Plan.mostReduced else { return essential }
    let empty = NodeSet(capacity: graph.nodeCount)
    var ended = [NodeSet](repeating: empty, count: graph.nodeCount)
    var passed = ended
    for node in order.lazy.map(Int.init) {
      var beforeEnded = empty
      var beforePassed = empty
      for edge in graph.edges(to: node) {
        let source = Int(graph.sources[edge])
        beforeEnded.formUnion(ended[source])
        if needsPassed(edge) { beforePassed.formUnion(passed[source]) }
      }
      for edge in graph.edges(to: node) {
        let source = Int(graph.sources[edge])
        essential[edge] = !(needsPassed(edge) ? beforePassed : beforeEnded).contains(source)
      }
      for edge in graph.edges(to: node) {
        let source = Int(graph.sources[edge])
        beforeEnded.insert(source)
        if needsPassed(edge) { beforePassed.insert(source) }
      }
      ended[node] = beforeEnded
      passed[node] = beforePassed
    }
    return essential
  }
}

extension Plan {
  /// The maximum number of nodes for which redundant edges are removed from a drawing. For more nodes, the sets of predecessors would need
  /// too much memory.
  private static let mostReduced = 12_000

  /// Returns, for each edge, whether a drawing must show it. An edge is redundant if a longer path between the same two nodes has the same
  /// effect.
  ///
  /// Some edges require that their source step passes. Such an edge is redundant only if every edge of the longer path requires this of its
  /// source step, too.
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

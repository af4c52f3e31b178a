/// The graph of a plan, and the reasons for each of its edges. Each reason is stored in eight bytes, as described in ``EdgeReason``.
struct EdgeTable: Sendable {
  struct StoredReason: Sendable {
    /// The kind of this reason. The value is a set with exactly one member.
    let kind: EdgeFacts
    /// The index of the reason's details in a list. Depending on ``kind``, this list contains the references of the waiting step, the
    /// `after` entries of the waiting step, or the file links of the plan.
    let index: Int32
  }

  let graph: Graph
  let facts: [EdgeFacts]
  private let reasonOffsets: [Int32]
  private let reasons: [StoredReason]

  /// Creates a table from edges with reasons.
  ///
  /// - Parameters:
  ///   - list: the edges in the order in which they were found.
  ///   - found: the reason of each edge.
  init(_ list: EdgeList, reasons found: [StoredReason]) {
    var numbers: [Int32] = []
    let graph = Graph(list, numbers: &numbers)
    var facts = [EdgeFacts](repeating: [], count: graph.edgeCount)
    var offsets = [Int32](repeating: 0, count: graph.edgeCount + 1)
    for (entry, number) in numbers.enumerated() {
      facts[Int(number)].formUnion(found[entry].kind)
      offsets[Int(number) + 1] += 1
    }
    for edge in 0..<graph.edgeCount { offsets[edge + 1] += offsets[edge] }
    var next = offsets
    var sorted = found
    for (entry, number) in numbers.enumerated() {
      sorted[Int(next[Int(number)])] = found[entry]
      next[Int(number)] += 1
    }
    self.graph = graph
    self.facts = facts
    reasonOffsets = offsets
    reasons = sorted
  }

  func storedReasons(of edge: Int) -> ArraySlice<StoredReason> {
    reasons[Int(reasonOffsets[edge])..<Int(reasonOffsets[edge + 1])]
  }

  /// Returns whether the target step of an edge depends on the source step, so that a plan with the target must contain the source. If
  /// false, the edge only determines the order of the two steps.
  func isDependency(_ edge: Int) -> Bool {
    !facts[edge].isDisjoint(with: .dependency)
  }
}

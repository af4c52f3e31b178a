import GarlandWorkflow

/// A graph with the reasons of each of its edges, eight bytes for a reason.
struct EdgeTable: Sendable {
  struct StoredReason: Sendable {
    /// A single member.
    let kind: EdgeFacts
    /// The index, in the waiting step, of a reference or an `after`; the index, in the plan's
    /// links, of a file.
    let index: Int32
  }

  let graph: Graph
  let facts: [EdgeFacts]
  private let reasonOffsets: [Int32]
  private let reasons: [StoredReason]

  /// - Parameters:
  ///   - list: the edges as they were found.
  ///   - found: the reason of each of them.
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

  /// Whether the target of an edge depends on its source, and does not only come after it.
  func isDependency(_ edge: Int) -> Bool {
    !facts[edge].isDisjoint(with: .dependency)
  }
}

import GarlandDiagnostics

/// A step that another step waits for, and the reasons for the wait.
struct Wait: Sendable {
  /// A reason why one step waits for another, as text.
  struct Reason: Sendable {
    /// The reason as a clause, such as ``it uses `create.id` in `url` ``.
    let text: String
    /// The source range in the document that causes the wait; nil if the wait has no single cause in the text, as with `order: file`.
    let range: SourceRange?
  }

  /// The ``PlannedStep/index`` of the step that another step waits for.
  let step: Int
  /// Whether the step with the index ``step`` must pass before the waiting step runs. If false, that step only has to end.
  let needsPassed: Bool
  /// Whether the waiting step can run even if values of the other step are missing, because each use of such a value is followed by `??`
  /// and a default value.
  let isOptional: Bool
  /// The reasons for the wait, in document order. The list is never empty.
  let reasons: [Reason]
}

extension Plan {
  /// Returns the steps that a step waits for directly, in document order. If a cleanup waits for a join (a node that only waits for
  /// other nodes), the result contains all steps that the join waits for.
  ///
  /// - Parameters:
  ///   - step: the index of the step.
  ///   - limit: the maximum number of steps that are returned.
  func waits(of step: Int, limit: Int = .max) -> [Wait] {
    var result: [Wait] = []
    var joined: [Int] = []
    for edge in graph.edges(to: step) {
      guard result.count < limit else { return result }
      let source = Int(graph.sources[edge])
      if isJoin(source) {
        joined.append(source)
        continue
      }
      let facts = edges.facts[edge]
      result.append(
        Wait(
          step: source, needsPassed: needsPassed(edge),
          isOptional: facts.contains(.optionalValue) && !facts.contains(.requiredValue),
          reasons: reasons(of: edge).map {
            Wait.Reason(text: $0.sentence(source: steps[source].step.id), range: $0.range)
          }))
    }
    guard !joined.isEmpty, let cleanup = steps[step].step.flow.cleanup else { return result }
    let direct = Set(result.map(\.step))
    for source in stepsBehind(joined, limit: limit) where !direct.contains(source) {
      guard result.count < limit else { break }
      let reason = EdgeReason.cleanupWait(cleanup)
      result.append(
        Wait(
          step: source, needsPassed: false, isOptional: false,
          reasons: [Wait.Reason(text: reason.sentence(source: steps[source].step.id), range: reason.range)]))
    }
    return result.sorted { $0.step < $1.step }
  }

  /// Returns the number of nodes that a step waits for directly. A join (a node that only waits for other nodes) counts as one node,
  /// regardless of the number of steps that it waits for.
  func waitCount(of step: Int) -> Int { graph.predecessorCount(of: step) }

  /// Returns the steps that the given joins (nodes without a step) wait for, directly or through other joins.
  ///
  /// - Parameter limit: the maximum number of steps that are returned.
  func stepsBehind(_ joins: [Int], limit: Int) -> [Int] {
    var seen = Set(joins)
    var pending = joins
    var found: [Int] = []
    while let join = pending.popLast() {
      for source in graph.predecessors(of: join).map(Int.init) where seen.insert(source).inserted {
        if isJoin(source) { pending.append(source) } else { found.append(source) }
        if found.count >= limit { return found.sorted() }
      }
    }
    return found.sorted()
  }
}

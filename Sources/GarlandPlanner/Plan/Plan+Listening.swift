import GarlandWorkflow

/// Finds the steps that listen for a request, and the steps that use the URL of a listening step.
extension Plan {
  /// Returns the listening steps whose URLs the given step uses. Each listening step occurs once, in the order of its first use.
  package func addressed(by planned: PlannedStep) -> [PlannedStep] {
    var found: [PlannedStep] = []
    for reference in planned.step.references {
      guard case .address = reference.member, let step = step(reference.target, of: planned.workflowIndex) else { continue }
      if !found.contains(where: { $0.index == step.index }) { found.append(step) }
    }
    return found
  }

  /// Returns the steps that use the URL of each listening step. The keys are the indexes of the listening steps.
  ///
  /// `named` contains all steps that use the URL. `calling` contains the steps in `named` that do not wait for the listening step: only
  /// these steps can send the request for which the listening step waits.
  package func listeners() -> [Int: (named: [Int], calling: [Int])] {
    var result: [Int: (named: [Int], calling: [Int])] = [:]
    for planned in steps where planned.step.action.isListening { result[planned.index] = ([], []) }
    guard !result.isEmpty else { return [:] }
    for planned in steps {
      for listening in addressed(by: planned) { result[listening.index]?.named.append(planned.index) }
    }
    for (listening, users) in result where !users.named.isEmpty {
      let waiting = waiting(for: listening)
      result[listening]?.calling = users.named.filter { !waiting.contains($0) }
    }
    return result
  }

  /// Returns the nodes that wait for the given step, directly or indirectly, and so can begin only after it has ended.
  private func waiting(for index: Int) -> NodeSet {
    var found = NodeSet(capacity: graph.nodeCount)
    var pending = [index]
    while let node = pending.popLast() {
      for edge in graph.edges(from: node) {
        let target = Int(graph.targets[Int(edge)])
        if found.insert(target) { pending.append(target) }
      }
    }
    return found
  }
}

import GarlandWorkflow

/// The edges of a plan under construction. Each edge has one reason.
struct RawEdges {
  let origin: PlanOrigin
  let steps: [PlannedStep]
  let indexes: [Int32]
  private(set) var list: EdgeList
  private(set) var reasons: [EdgeTable.StoredReason] = []

  init(origin: PlanOrigin, numbers: [Int]?) {
    self.origin = origin
    var steps: [PlannedStep] = []
    steps.reserveCapacity(numbers?.count ?? origin.stepCount)
    var indexes = [Int32](repeating: -1, count: origin.stepCount)
    var wanted = numbers?[...]
    let others = origin.neededByOtherDocuments
    for (workflowIndex, workflow) in origin.workflows.enumerated() {
      let first = origin.firstNumbers[workflowIndex]
      for step in workflow.steps {
        let number = first + step.ordinal
        if wanted != nil {
          guard wanted?.first == number else { continue }
          wanted?.removeFirst()
        }
        indexes[number] = Int32(steps.count)
        steps.append(
          PlannedStep(
            index: steps.count, number: number, workflowIndex: workflowIndex, workflow: workflow, step: step,
            neededByOthers: others.isEmpty ? step.neededByOthers : step.neededByOthers.union(others[number] ?? []),
            isNeededByOtherDocuments: others[number] != nil))
      }
    }
    self.steps = steps
    self.indexes = indexes
    list = EdgeList(nodeCount: steps.count)
  }

  /// Adds an edge between two nodes. A node is a step, or a join that only waits for other nodes.
  mutating func append(from source: Int, to target: Int, _ kind: EdgeFacts, index: Int = 0) {
    list.append(from: source, to: target)
    reasons.append(EdgeTable.StoredReason(kind: kind, index: Int32(index)))
  }

  /// Adds a join, which is a node without a step, and returns the number of the node.
  mutating func appendJoin() -> Int { list.appendNode() }

  mutating func addDependencies() {
    list.reserveCapacity(steps.count * 2)
    reasons.reserveCapacity(steps.count * 2)
    for planned in steps {
      let first = planned.number - planned.step.ordinal
      let ownCount = planned.workflow.steps.count
      let step = planned.step
      func index(of ordinal: Int) -> Int32 {
        if ordinal < ownCount { return indexes[first + ordinal] }
        return origin.number(of: ordinal, in: planned.workflowIndex).map { indexes[$0] } ?? -1
      }
      for position in step.references.indices {
        let (target, isAddress, isOptional) = step.references[position].edge
        if isAddress {
          addLoop(of: target, to: planned, position)
          continue
        }
        let source = index(of: target)
        if source >= 0 { append(from: Int(source), to: planned.index, isOptional ? .optionalValue : .requiredValue, index: position) }
      }
      for (position, after) in step.flow.after.enumerated() {
        let source = index(of: after.step)
        if source >= 0 {
          append(from: Int(source), to: planned.index, after.condition == .ended ? .afterEnded : .afterPassed, index: position)
        }
      }
      if let cleanup = step.flow.cleanup {
        let source = indexes[first + cleanup.step]
        if source >= 0 { append(from: Int(source), to: planned.index, .cleanup) }
      }
    }
    for (index, link) in origin.links.enumerated() where indexes[link.producer] >= 0 && indexes[link.consumer] >= 0 {
      append(from: Int(indexes[link.producer]), to: Int(indexes[link.consumer]), .file, index: index)
    }
  }

  /// Adds the edges for `planned`, a step that uses the URLs of a listening step with a loop.
  ///
  /// Each item of the loop has its own URL. Therefore `planned` waits for the steps that provide the list of items. `planned` does not wait
  /// for the listening step itself, since the URLs are known before the listening step runs.
  private mutating func addLoop(of ordinal: Int, to planned: PlannedStep, _ position: Int) {
    guard let number = origin.number(of: ordinal, in: planned.workflowIndex), let listening = origin.step(number),
      let loop = listening.step.flow.loop
    else { return }
    let isOptional = planned.step.references[position].isOptional
    for reference in listening.step.references where reference.place.isLoop(loop.key.value) {
      guard reference.member != .address, let source = origin.number(of: reference.target, in: listening.workflow), indexes[source] >= 0
      else { continue }
      append(from: Int(indexes[source]), to: planned.index, isOptional ? .optionalValue : .requiredValue, index: position)
    }
  }

  /// Adds the edges of `order: file`: each step waits for the nearest step above it that is not a cleanup and does not listen.
  ///
  /// A cleanup above a step is not a reason to wait: the cleanup itself waits for all steps that use the cleaned-up resource, and such a
  /// step may be below the cleanup. A listening step is not a reason to wait, either: the step that sends the expected request may be below
  /// the listening step.
  mutating func addFileOrder() {
    var above: Int?
    var document = -1
    for planned in steps {
      if planned.workflowIndex != document {
        document = planned.workflowIndex
        above = nil
      }
      guard planned.workflow.order == .file else { continue }
      if let above { append(from: above, to: planned.index, .fileOrder) }
      if planned.step.flow.cleanup == nil, !planned.step.action.isListening { above = planned.index }
    }
  }
}

extension StepReference.Place {
  /// Whether the reference is in the definition of a step's loop.
  ///
  /// - Parameter loop: the path of the loop's key in the step. The reference is in the value of this key, or of a key inside of it.
  fileprivate func isLoop(_ loop: String) -> Bool { key == loop || key.hasPrefix(loop + ".") }
}

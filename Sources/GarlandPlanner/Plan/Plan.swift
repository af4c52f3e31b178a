public import GarlandWorkflow

/// Which steps run, and what each of them waits for.
///
/// ```swift
/// let result = Planner(workingDirectory: "/work").plan([workflow])
/// for step in result.plan?.steps ?? [] { print(step.index, step.step.id) }
/// ```
///
/// A step *ends* in one of two ways: it was carried out, or it will not be, since it is skipped, blocked or not run. It may end only when everything it
/// waits for has ended, blocked or not: then that a step has ended says the same of all before it, and an edge that follows from others can be left out.
/// The edges of a `cleanup` rely on that.
///
/// The nodes of ``graph`` from `steps.count` on are *joins*: they run nothing, end as soon as all steps that they wait for have ended, and keep the
/// number of edges small where a cleanup waits for many steps.
public final class Plan: Sendable {
  /// The steps, document by document, in file order.
  public let steps: [PlannedStep]
  /// The dependencies. An edge leads from a step to one that waits for it; it has no cycle.
  public var graph: Graph { edges.graph }
  /// Every node of ``graph`` once, each after those it waits for, otherwise in the order of the documents.
  public let order: [Int32]
  let edges: EdgeTable
  let origin: PlanOrigin
  /// The index of each step of the complete plan in this one, or -1.
  let indexes: [Int32]

  init(steps: [PlannedStep], edges: EdgeTable, order: [Int32], origin: PlanOrigin, indexes: [Int32]) {
    self.steps = steps
    self.edges = edges
    self.order = order
    self.origin = origin
    self.indexes = indexes
  }

  /// The documents, each once.
  public var workflows: [Workflow] { origin.workflows }
  /// The plan of a document that a step of this plan calls: all of its steps, without those of documents it uses, which belong to this plan.
  public func plan(called workflow: Workflow) -> Plan? { origin.called[ObjectIdentifier(workflow)] }
  /// The plans of all documents that steps call.
  public var calledPlans: [Plan] {
    var seen: Set<ObjectIdentifier> = []
    return steps.compactMap { planned in
      guard let called = planned.step.call?.workflow, seen.insert(ObjectIdentifier(called)).inserted else { return nil }
      return plan(called: called)
    }
  }
  /// The number of nodes that are joins.
  public var joinCount: Int { graph.nodeCount - steps.count }
  /// Whether a node of the graph is no step.
  public func isJoin(_ node: Int) -> Bool { node >= steps.count }

  /// The indexes of the steps in an order in which they can run one after another: that of the documents, as far as the edges allow it.
  public var serialOrder: [Int] { order.lazy.map(Int.init).filter { !self.isJoin($0) } }

  /// The indexes of the steps in an order in which they can run one after another, left to chance: the same for the same seed.
  public func randomOrder(seed: UInt64) -> [Int] {
    (graph.randomOrder(seed: seed) ?? order).lazy.map(Int.init).filter { !self.isJoin($0) }
  }

  /// The step of a document in this plan, or nil when it is not selected.
  ///
  /// - Parameters:
  ///   - ordinal: its index in ``Workflow/steps``, or, from there on, in ``Workflow/foreignSteps``.
  ///   - workflow: the index of the document in ``workflows``.
  public func step(_ ordinal: Int, of workflow: Int) -> PlannedStep? {
    guard let number = origin.number(of: ordinal, in: workflow) else { return nil }
    let index = Int(indexes[number])
    return index < 0 ? nil : steps[index]
  }

  /// Why the target of an edge waits for its source, as a set of kinds.
  ///
  /// - Parameter edge: its number in ``graph``.
  public func facts(of edge: Int) -> EdgeFacts { edges.facts[edge] }

  /// Every reason why the target of an edge waits for its source, in document order. Edges to and from joins have none.
  ///
  /// - Parameter edge: its number in ``graph``.
  public func reasons(of edge: Int) -> [EdgeReason] {
    let target = Int(graph.targets[edge])
    guard !isJoin(target), !isJoin(Int(graph.sources[edge])) else { return [] }
    return EdgeReason.reasons(of: edge, in: edges, target: steps[target].step, origin: origin)
  }
}

extension EdgeReason {
  static func reasons(of edge: Int, in table: EdgeTable, target: Step, origin: PlanOrigin) -> [EdgeReason] {
    table.storedReasons(of: edge).compactMap { stored in
      switch stored.kind {
      case .requiredValue, .optionalValue: .reference(target.references[Int(stored.index)])
      case .afterPassed, .afterEnded: .after(target.flow.after[Int(stored.index)])
      case .file: .file(origin.links[Int(stored.index)])
      case .cleanup: target.flow.cleanup.map { .cleanup($0) }
      case .cleanupWait: target.flow.cleanup.map { .cleanupWait($0) }
      case .fileOrder: .fileOrder
      default: nil
      }
    }
  }
}

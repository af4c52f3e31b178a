public import GarlandWorkflow
import Glibc

/// The steps of a run, and the steps that each of them waits for.
///
/// ```swift
/// let result = Planner(workingDirectory: "/work").plan([workflow])
/// for step in result.plan?.steps ?? [] { print(step.index, step.step.id) }
/// ```
///
/// A step *ends* when it has been carried out, or when it is skipped, blocked or not run. A step ends only after all steps that it waits
/// for have ended, even if the step is blocked. Therefore the graph needs no edge between two steps that a longer path connects. The edges
/// of a `cleanup` rely on this rule.
///
/// The nodes of ``graph`` from the index `steps.count` on are not steps but *joins*. A join runs nothing and ends as soon as all steps that
/// it waits for have ended. Joins keep the number of edges small where a cleanup waits for many steps.
public final class Plan: Sendable {
  /// The steps of all documents, one document after another, in file order.
  public let steps: [PlannedStep]
  /// The dependencies of the steps. An edge leads from a step to a step that waits for it. The graph has no cycle.
  public var graph: Graph { edges.graph }
  /// Every node of ``graph`` once. Each node comes after the nodes that it waits for; apart from that, the
  /// order is that of the documents.
  public let order: [Int32]
  let edges: EdgeTable
  let origin: PlanOrigin
  /// For each step of the complete plan, the index of the same step in this plan; -1 if this plan does not contain the step. A plan of
  /// selected steps is smaller than the complete plan.
  let indexes: [Int32]

  init(steps: [PlannedStep], edges: EdgeTable, order: [Int32], origin: PlanOrigin, indexes: [Int32]) {
    self.steps = steps
    self.edges = edges
    self.order = order
    self.origin = origin
    self.indexes = indexes
  }

  /// The documents whose steps the plan contains, each once.
  public var workflows: [Workflow] { origin.workflows }
  /// Returns the plan of a called document: a document that a step of this plan calls.
  ///
  /// The returned plan contains all steps of the called document. If the called document uses further documents, their steps are not in the
  /// returned plan but in this plan (`self`).
  public func plan(called workflow: Workflow) -> Plan? { origin.called[ObjectIdentifier(workflow)] }
  /// The plans of all documents that steps call.
  public var calledPlans: [Plan] {
    var seen: Set<ObjectIdentifier> = []
    return steps.compactMap { planned in
      guard let called = planned.step.call?.workflow, seen.insert(ObjectIdentifier(called)).inserted else { return nil }
      return plan(called: called)
    }
  }
  /// The number of joins: nodes of the graph that are not steps, and only wait for other nodes.
  public var joinCount: Int { graph.nodeCount - steps.count }
  /// Returns whether a node of the graph is a join. Every other node is a step.
  public func isJoin(_ node: Int) -> Bool { node >= steps.count }

  /// The indexes of the steps in an order in which they can run one after another. This is the order of the documents, except where the
  /// edges require another order.
  public var serialOrder: [Int] { order.lazy.map(Int.init).filter { !self.isJoin($0) } }

  /// Returns a step of the document with index `workflow`; nil if the step is not part of this plan.
  ///
  /// - Parameters:
  ///   - ordinal: the index of the step in ``Workflow/steps``; for a step of another document, its index in ``Workflow/foreignSteps`` plus
  ///     the number of the document's own steps.
  ///   - workflow: the index of the document in ``workflows``.
  public func step(_ ordinal: Int, of workflow: Int) -> PlannedStep? {
    guard let number = origin.number(of: ordinal, in: workflow) else { return nil }
    let index = Int(indexes[number])
    return index < 0 ? nil : steps[index]
  }

  /// Returns the kinds of reasons why the target step of an edge waits for the source step.
  ///
  /// - Parameter edge: the number of the edge in ``graph``.
  public func facts(of edge: Int) -> EdgeFacts { edges.facts[edge] }

  /// Returns every reason why the target step of an edge waits for the source step, in document order. Edges to and from joins (nodes
  /// without a step) have no reasons.
  ///
  /// - Parameter edge: the number of the edge in ``graph``.
  func reasons(of edge: Int) -> [EdgeReason] {
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

extension Plan {
  /// Whether an expression in a document of the plan may call a function that generates test data, such as `fake_name()`.
  public var makesUpData: Bool {
    workflows.contains { Self.mentionsMadeUpData($0.file.bytes) } || calledPlans.contains(where: \.makesUpData)
  }

  // This function replaces `firstRange(of:)`, which took 700,000 instructions for each step of a document.
  private static func mentionsMadeUpData(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      let word = "fake"
      var rest = bytes[...]
      while let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress, let found = memchr(base, 0x5F, rest.count) {
        let index = rest.startIndex + (UnsafeRawPointer(found) - base)
        if index >= 4, bytes[index - 4..<index].elementsEqual(word.utf8) { return true }
        rest = rest[(index + 1)...]
      }
      return false
    }
  }
}

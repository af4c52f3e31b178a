import GarlandDiagnostics

/// Builds a plan: finds the dependencies among the steps of the documents and orders the steps.
struct PlanBuilder {
  let origin: PlanOrigin
  var cleanupLimits = CleanupWaits.Limits()

  /// Builds the plan. If steps depend on each other in a cycle, returns diagnostics about the cycles instead.
  ///
  /// - Parameter numbers: the indexes, in the complete plan, of the steps that this plan contains, in order; nil for all steps.
  func build(_ numbers: [Int]?) -> Planner.Result {
    var edges = RawEdges(origin: origin, numbers: numbers)
    edges.addDependencies()
    let dependencies = EdgeTable(edges.list, reasons: edges.reasons)
    guard let dependencyOrder = dependencies.graph.topologicalOrder() else {
      return failure(edges, dependencies)
    }
    let dependencyCount = edges.list.count
    edges.addFileOrder()
    CleanupWaits(steps: edges.steps, graph: dependencies.graph, order: dependencyOrder, limits: cleanupLimits).add(to: &edges)
    if edges.list.count == dependencyCount {
      return success(edges, dependencies, dependencyOrder)
    }
    let complete = EdgeTable(edges.list, reasons: edges.reasons)
    guard let order = complete.graph.topologicalOrder() else {
      return failure(edges, complete)
    }
    return success(edges, complete, order)
  }

  private func success(_ edges: RawEdges, _ table: EdgeTable, _ order: [Int32]) -> Planner.Result {
    let plan = Plan(steps: edges.steps, edges: table, order: order, origin: origin, indexes: edges.indexes)
    return Planner.Result(plan: plan, diagnostics: DiagnosticList())
  }

  private func failure(_ edges: RawEdges, _ table: EdgeTable) -> Planner.Result {
    let diagnostics = CycleReport(steps: edges.steps, table: table, origin: origin).diagnostics()
    return Planner.Result(plan: nil, diagnostics: diagnostics)
  }
}

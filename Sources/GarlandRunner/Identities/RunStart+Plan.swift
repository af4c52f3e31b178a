import GarlandPlanner
import GarlandResults

extension RunStart {
  /// Creates a description that only lists the steps of a plan. No run is started. URLs are shown as templates, without any values.
  package init(of plan: Plan) {
    let dependencies = plan.steps.map { planned in
      plan.graph.predecessors(of: planned.index).compactMap { plan.isJoin(Int($0)) ? nil : Int($0) }
    }
    let steps = plan.steps.map { planned in
      StepIdentity(
        index: planned.index, id: planned.step.id, file: planned.workflow.file.name, workflow: planned.workflow.shownName,
        summary: planned.step.description, tags: planned.step.tags, range: planned.step.idRange, action: planned.action,
        isCleanup: planned.runsAlways, isRequest: planned.step.action.isRequest)
    }
    self.init(runID: "", startedAt: 0, steps: steps, dependencies: dependencies, concurrency: 0)
    sources = plan.steps.map { StepDefinition(of: $0) }
  }
}

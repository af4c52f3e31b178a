import GarlandPlanner
import GarlandWorkflow

/// The named resources that are declared in the documents of a plan and in the documents that its steps call. Resources with the same name
/// are the same resource. If their declarations allow different numbers of steps at the same time, the smallest number applies.
struct SharedResources {
  /// The number of steps that may use each resource at the same time.
  private(set) var counts: [Int] = []
  private var numbers: [String: Int] = [:]

  init(_ plan: Plan) { add(plan) }

  private mutating func add(_ plan: Plan) {
    for resource in plan.workflows.lazy.flatMap(\.resources) {
      if let number = numbers[resource.name.value] {
        counts[number] = min(counts[number], resource.count)
      } else {
        numbers[resource.name.value] = counts.count
        counts.append(resource.count)
      }
    }
    for called in plan.calledPlans { add(called) }
  }

  /// A copy of these resources that has only one unit of each resource. The run of a called document uses this copy if the calling step has
  /// acquired one unit of every resource.
  var oneOfEach: SharedResources {
    var result = self
    result.counts = counts.map { _ in 1 }
    return result
  }

  /// Returns the indexes of the resources that have the given names.
  func indexes(of names: Set<String>) -> [Int] { names.compactMap { numbers[$0] }.sorted() }

  /// Returns the resources that a step acquires before it begins. A call that has its own `uses` also acquires all resources that the
  /// called document will need. If the called document acquired them later, two calls could wait for each other, each with a resource that
  /// the other call needs.
  func indexes(usedBy step: PlannedStep, calling called: Plan?) -> [Int] {
    indexes(of: step.resources(calling: called))
  }
}

extension PlannedStep {
  /// The names of the resources in the step's `uses`.
  fileprivate var usedResources: Set<String> { Set(step.flow.uses.map { workflow.resources[$0.resource].name.value }) }

  fileprivate func resources(calling called: Plan?) -> Set<String> {
    var names = usedResources
    if !names.isEmpty, let called { names.formUnion(called.usedResources) }
    return names
  }

  /// Returns the names of the resources that a step must borrow from the calling run before the step begins.
  func borrowedResources(in plan: Plan) -> Set<String> { resources(calling: step.call.flatMap { plan.plan(called: $0.workflow) }) }
}

extension Plan {
  /// The names of the resources that the plan's steps use, including those of called documents.
  fileprivate var usedResources: Set<String> {
    calledPlans.reduce(into: steps.reduce(into: []) { $0.formUnion($1.usedResources) }) { $0.formUnion($1.usedResources) }
  }

  /// Whether a step of this plan, or of a document that the plan calls, is exclusive. If so, no other step may run at the same time as the
  /// step that calls this plan.
  var wantsToBeAlone: Bool { steps.contains { $0.step.flow.exclusive } || calledPlans.contains(where: \.wantsToBeAlone) }
}

import GarlandPlanner
import GarlandResults
import GarlandWorkflow

/// The extracted values that a run takes from an earlier run, and the extracted values that this run provides for a later run. Steps are
/// identified by their indexes in the plan.
struct KeptResults {
  private let isOn: Bool
  private var given: [Int: KeptStep] = [:]
  private var found: [Int: KeptStep] = [:]

  init(_ plan: Plan, _ configuration: RunConfiguration) {
    isOn = configuration.reuse.keepsResults
    guard !configuration.reuse.kept.isEmpty else { return }
    // A step can use its old values only if all steps that it waits for do so, too. In plan order, these steps are processed first.
    for node in plan.order.lazy.map(Int.init) where !plan.isJoin(node) {
      let planned = plan.steps[node]
      guard planned.isKeepable, let kept = configuration.reuse.kept[planned.address],
        kept.extracted.count == planned.step.extractions.count,
        plan.graph.predecessors(of: node).allSatisfy({ given[Int($0)] != nil })
      else { continue }
      given[node] = kept
    }
  }

  /// Whether there are no values from an earlier run.
  var isEmpty: Bool { given.isEmpty }

  /// Returns the values that an earlier run provides for a step; nil if the earlier run provides no values.
  func values(of index: Int) -> [Value?]? { given[index]?.extracted }

  /// Stores the extracted values of a step that has passed, if a later run can use them.
  mutating func note(_ ending: StepEnding, of planned: PlannedStep) {
    guard isOn, ending.outcome == .passed, given[planned.index] == nil, planned.isKeepable else { return }
    found[planned.index] = KeptStep(ending.extracted)
  }

  /// Returns the step values that another run may use, by ``PlannedStep/address``.
  ///
  /// These values are omitted:
  /// - reused values of an earlier run that may be the reason why a step did not pass
  /// - values of a step with a cleanup, since the cleanup removes the data that the step created
  /// - values of a step whose document has received cookies, since another run would not have these cookies
  ///
  /// - Parameters:
  ///   - plan: The plan of the run.
  ///   - outcomes: The outcome of each step.
  ///   - hasCookies: Returns whether the document of a step has received cookies.
  func result(of plan: Plan, _ outcomes: [Outcome?], hasCookies: (PlannedStep) -> Bool) -> [String: KeptStep] {
    guard isOn else { return [:] }
    // An old value may be the reason why a step that used it did not pass, so such a value is not reused.
    var doubtful = Set<Int>()
    var pending = plan.steps.indices.filter { outcomes[$0]?.isProblem ?? false }
    while let index = pending.popLast() {
      for predecessor in plan.graph.predecessors(of: index).lazy.map(Int.init) where doubtful.insert(predecessor).inserted {
        pending.append(predecessor)
      }
    }
    let undone = Set(
      plan.steps.compactMap { planned in
        planned.step.flow.cleanup.flatMap { plan.step($0.step, of: planned.workflowIndex)?.index }
      })
    var result: [String: KeptStep] = [:]
    for (index, kept) in given where !doubtful.contains(index) { result[plan.steps[index].address] = kept }
    for (index, kept) in found where !undone.contains(index) && !hasCookies(plan.steps[index]) {
      result[plan.steps[index].address] = kept
    }
    return result
  }
}

public import GarlandWorkflow

/// A step as a part of a plan.
public final class PlannedStep: Sendable {
  /// The index of the step in ``Plan/steps``, which is also the number of the step's node in ``Plan/graph``.
  public let index: Int
  /// The index of the step in the complete plan. It is the same in every selection from that plan.
  public let number: Int
  /// The index of the step's document in ``Plan/workflows``.
  public let workflowIndex: Int
  /// The document of the step.
  public let workflow: Workflow
  /// The step as it is defined in the document.
  public let step: Step
  /// The parts of the response that other steps read, including steps of other documents.
  public let neededByOthers: ResponseNeeds
  /// Whether steps of other documents read parts of the response.
  let isNeededByOtherDocuments: Bool

  init(
    index: Int, number: Int, workflowIndex: Int, workflow: Workflow, step: Step, neededByOthers: ResponseNeeds,
    isNeededByOtherDocuments: Bool
  ) {
    self.index = index
    self.number = number
    self.workflowIndex = workflowIndex
    self.workflow = workflow
    self.step = step
    self.neededByOthers = neededByOthers
    self.isNeededByOtherDocuments = isNeededByOtherDocuments
  }

  /// The paths in the response's JSON body that other steps read.
  package var jsonNeededByOthers: JSONNeeds { isNeededByOtherDocuments ? .everything : step.jsonNeededByOthers }

  /// The method and the URL as written in the document, such as `GET /books/${create.id}`.
  public var action: String {
    "\(step.action.verb) \(step.request?.url.source ?? step.call?.path.value ?? "")"
  }
  /// Whether the step runs after any outcome of its dependencies, because of `always` or `cleanup`.
  public var runsAlways: Bool { step.flow.always || step.flow.cleanup != nil }
}

public import GarlandWorkflow

/// A step of a document together with its position in a plan.
public final class PlannedStep: Sendable {
  /// The index of the step in ``Plan/steps``, which is also the number of the step's node in ``Plan/graph``.
  public let index: Int
  /// The index of the step in the complete plan, which contains all steps of the documents. In a smaller plan with selected steps, each
  /// step keeps this number.
  public let number: Int
  /// The index of the step's document in ``Plan/workflows``.
  public let workflowIndex: Int
  /// The document that contains the step.
  public let workflow: Workflow
  /// The step as it is defined in the document.
  public let step: Step
  /// The parts of the step's response, such as the body or the headers, that other steps read, including steps of other documents.
  public let neededByOthers: ResponseNeeds
  /// Whether steps of other documents read parts of this step's response.
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

  /// The paths in the response's JSON body that other steps read. If a step of another document reads the response, the value is
  /// `everything`.
  package var jsonNeededByOthers: JSONNeeds { isNeededByOtherDocuments ? .everything : step.jsonNeededByOthers }

  /// The method and the URL as written in the document, such as `GET /books/${create.id}`. For a step that calls another document, the word
  /// `call` and the path of the called document.
  public var action: String {
    "\(step.action.verb) \(step.request?.url.source ?? step.call?.path.value ?? "")"
  }
  /// Whether the step runs after any outcome of its dependencies, because of `always` or `cleanup`.
  public var runsAlways: Bool { step.flow.always || step.flow.cleanup != nil }
}

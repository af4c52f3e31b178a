public import GarlandWorkflow

/// A step's place in a plan.
public final class PlannedStep: Sendable {
  /// Its index in ``Plan/steps`` and its node in ``Plan/graph``.
  public let index: Int
  /// Its index in the complete plan, which a selection does not change.
  public let number: Int
  /// The index of its document in ``Plan/workflows``.
  public let workflowIndex: Int
  /// Its document.
  public let workflow: Workflow
  /// The step.
  public let step: Step
  /// The parts of the response that other steps read, those of other documents included.
  public let neededByOthers: ResponseNeeds
  /// Whether steps of other documents are among those.
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

  /// The paths that other steps use in the JSON of the response.
  package var jsonNeededByOthers: JSONNeeds { isNeededByOtherDocuments ? .everything : step.jsonNeededByOthers }

  /// Method and URL as the document writes them, such as `GET /books/${create.id}`.
  public var action: String {
    switch step.action {
    case .request(let request): "\(request.method.value) \(request.url.source)"
    case .call(let call): "call \(call.path.value)"
    }
  }
  /// Whether it runs for any outcome of its dependencies: `always` or `cleanup`.
  public var runsAlways: Bool { step.flow.always || step.flow.cleanup != nil }
}

public import GarlandPlanner
import GarlandWorkflow

/// Methods and URLs of the steps of a plan as far as they are known without a run.
public struct RequestListing {
  private let documents: [DocumentValues]

  /// - Parameters:
  ///   - plan: The plan whose steps are listed.
  ///   - configuration: Where secrets and the environment come from. Its redactor receives each secret.
  public init(of plan: Plan, _ configuration: RunConfiguration) {
    documents = VariableListing.documents(of: plan, configuration) { workflow, uses in
      uses.addVariables()
      uses.add(workflow.steps.flatMap(\.inputs))
    }
  }

  /// The method and the URL of a step; nil for one that sends no request itself.
  public func request(of step: PlannedStep) -> (method: String, url: String)? {
    guard let request = step.step.request, request.isSent, request.submit == nil else { return nil }
    let context = StepContext(document: documents[step.workflowIndex], known: [])
    return (request.knownMethod(in: context), request.knownURL(in: context) { VolatileNames.occur(in: $0) || $0.contains("run.id") })
  }
}

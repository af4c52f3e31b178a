import GarlandDiagnostics
import GarlandPlanner
import GarlandWorkflow

/// Lists the methods and URLs of a plan's steps, as far as they are known without sending requests.
package struct RequestListing {
  private let documents: [DocumentValues]
  /// The values of the documents from a second evaluation. The second evaluation uses another clock, other random numbers and another
  /// `run.id` than the first evaluation, whose values are in `documents`. A value is known without a run only if both evaluations give the
  /// same result.
  private let others: [DocumentValues]

  /// Creates a listing of the requests of a plan.
  ///
  /// - Parameters:
  ///   - plan: The plan whose steps are listed.
  ///   - configuration: Contains the secrets, the environment, and the redactor to which each secret is registered.
  package init(of plan: Plan, _ configuration: RunConfiguration) {
    documents = Self.documents(of: plan, configuration)
    var other = configuration.again(2)
    // The values of the second evaluation are only compared, and never shown.
    other.redactor = Redactor()
    other.values.seed &+= 1
    other.values.now = { [now = configuration.values.now] in now() + 40_000_000 }
    other.values.random = { [random = configuration.values.random] in ~random() }
    others = Self.documents(of: plan, other)
  }

  private static func documents(of plan: Plan, _ configuration: RunConfiguration) -> [DocumentValues] {
    VariableListing.documents(of: plan, configuration) { workflow, uses in
      uses.addVariables()
      uses.add(workflow.steps.flatMap(\.inputs))
    }
  }

  /// Returns the method and the URL of a step. Returns nil for a step that sends no request itself, or that submits a form.
  package func request(of step: PlannedStep) -> (method: String, url: String)? {
    guard let request = step.step.action.addressed else { return nil }
    let context = StepContext(document: documents[step.workflowIndex], known: [])
    let other = StepContext(document: others[step.workflowIndex], known: [])
    return (request.knownMethod(in: context), request.knownURL(in: context, and: other))
  }
}

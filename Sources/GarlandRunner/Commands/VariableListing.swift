public import GarlandPlanner
public import GarlandWorkflow

/// What each variable of the documents of a plan comes to, without a run.
///
/// ```swift
/// let listing = VariableListing(of: plan, configuration)
/// for (variable, value) in listing.values(of: 0) { … }
/// ```
public struct VariableListing {
  private let documents: [DocumentValues]

  /// - Parameters:
  ///   - plan: whose documents are looked at.
  ///   - configuration: where secrets and the environment come from. Its redactor is told every secret.
  public init(of plan: Plan, _ configuration: RunConfiguration) {
    let inputs = RunInputs(environment: configuration.environment, secrets: configuration.secrets)
    let registry = RedactorRegistry(redactor: configuration.redactor)
    documents = plan.workflows.map { workflow in
      var uses = InputUses(of: workflow)
      uses.addVariables()
      uses.close()
      let services = EvaluationServices(
        runID: configuration.runID, secrets: registry, now: configuration.now, random: configuration.random, files: configuration.files,
        directory: workflow.directory)
      return DocumentValues(workflow, uses: uses, inputs: inputs, services: services)
    }
  }

  /// The variables of a document with their values, or why they have none.
  ///
  /// - Parameter document: an index of ``Plan/workflows``.
  public func values(of document: Int) -> [(variable: Variable, value: Result<Value, EvaluationError>)] {
    let values = documents[document]
    return values.workflow.variables.enumerated().map { index, variable in
      do throws(EvaluationError) {
        return (variable, .success(try values.variable(index)))
      } catch {
        return (variable, .failure(error))
      }
    }
  }
}

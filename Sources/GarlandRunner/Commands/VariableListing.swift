import GarlandPlanner
import GarlandWorkflow

/// Evaluates the variables of a plan's documents without a run.
///
/// ```swift
/// let listing = VariableListing(of: plan, configuration)
/// for (variable, value) in listing.values(of: 0) { … }
/// ```
package struct VariableListing {
  private let documents: [DocumentValues]

  /// Creates a listing.
  ///
  /// - Parameters:
  ///   - plan: the plan whose documents are read.
  ///   - configuration: contains the secrets, the environment, and the redactor to which each secret is registered.
  package init(of plan: Plan, _ configuration: RunConfiguration) {
    documents = Self.documents(of: plan, configuration) { _, uses in uses.addVariables() }
  }

  /// Returns each document of a plan together with its evaluated values.
  ///
  /// - Parameter add: called for each document with the set of its inputs (variables, secrets and others) that are evaluated. The function
  ///   can add further inputs to this set.
  static func documents(
    of plan: Plan, _ configuration: RunConfiguration, _ add: (Workflow, inout InputUses) -> Void
  ) -> [DocumentValues] {
    let inputs = RunInputs(environment: configuration.environment, secrets: configuration.secrets)
    let registry = RedactorRegistry(redactor: configuration.redactor)
    return plan.workflows.map { workflow in
      var uses = InputUses(of: workflow)
      add(workflow, &uses)
      uses.close()
      let services = configuration.services(of: workflow, secrets: registry)
      return DocumentValues(workflow, uses: uses, inputs: inputs, services: services)
    }
  }

  /// Returns the variables of a document with their values, or with the reason why a variable has no value.
  ///
  /// - Parameter document: an index of ``Plan/workflows``.
  package func values(of document: Int) -> [(variable: Variable, value: Result<Value, EvaluationError>)] {
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

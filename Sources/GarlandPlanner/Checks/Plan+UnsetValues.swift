public import GarlandDiagnostics
import GarlandWorkflow

extension Plan {
  /// Warnings of secrets and environment variables that a step uses, without another value behind `??`, and that are not set. A run refuses
  /// to start then; a check may be made elsewhere, where they are not known.
  ///
  /// - Parameters:
  ///   - secrets: what is given in place of environment variables.
  ///   - environment: the environment variables.
  public func unsetValues(secrets: [String: String], environment: [String: String]) -> DiagnosticList {
    var list = DiagnosticList()
    let inputs = RunInputs(environment: environment, secrets: secrets)
    var uses = workflows.map(InputUses.init)
    for planned in steps { uses[planned.workflowIndex].add(planned.step.inputs) }
    for (index, workflow) in workflows.enumerated() {
      for var missing in inputs.missing(for: uses[index], of: workflow) {
        // An input is given where the document is called.
        if missing.code == .missingInput { continue }
        missing.severity = .warning
        list.report(missing)
      }
    }
    return list
  }
}

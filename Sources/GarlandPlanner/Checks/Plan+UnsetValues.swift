public import GarlandDiagnostics
import GarlandWorkflow

extension Plan {
  /// Returns warnings for secrets and environment variables that have no value, if a step uses them without a default value after `??`. A
  /// run would not start without these values. A check only warns, since it may run on a machine where the values are unknown.
  ///
  /// - Parameters:
  ///   - secrets: the values of secrets by name, which take precedence over environment variables with these names.
  ///   - environment: the environment variables.
  public func unsetValues(secrets: [String: String], environment: [String: String]) -> DiagnosticList {
    var list = DiagnosticList()
    let inputs = RunInputs(environment: environment, secrets: secrets)
    var uses = workflows.map(InputUses.init)
    for planned in steps { uses[planned.workflowIndex].add(planned.step.inputs) }
    for (index, workflow) in workflows.enumerated() {
      for var missing in inputs.missing(for: uses[index], of: workflow) {
        // An input gets its value from the caller of the document.
        if missing.code == .missingInput { continue }
        missing.severity = .warning
        list.report(missing)
      }
    }
    return list
  }
}

import GarlandWorkflow

extension RunConfiguration {
  /// Returns the services for the expressions of a document.
  ///
  /// - Parameters:
  ///   - workflow: The document.
  ///   - secrets: Receives each secret.
  func services(of workflow: Workflow, secrets: any SecretRegistry) -> EvaluationServices {
    var services = EvaluationServices(
      runID: series.runID, iteration: series.iteration, secrets: secrets, now: values.now, random: values.random, files: files,
      directory: workflow.directory)
    // Each document generates different test data, which does not depend on the folder from which it is run.
    services.seed = EvaluationServices.seed(values.seed, for: workflow.file.name.split(separator: "/").last.map(String.init) ?? "")
    return services
  }
}

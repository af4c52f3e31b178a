import GarlandWorkflow

extension RunConfiguration {
  /// Returns the services for the expressions of a document.
  ///
  /// - Parameters:
  ///   - workflow: The document.
  ///   - secrets: Receives each secret.
  func services(of workflow: Workflow, secrets: any SecretRegistry) -> EvaluationServices {
    var services = EvaluationServices(
      runID: runID, iteration: iteration, secrets: secrets, now: now, random: random, files: files, directory: workflow.directory)
    // Documents make up different data, from wherever they are run.
    services.seed = EvaluationServices.seed(seed, for: workflow.file.name.split(separator: "/").last.map(String.init) ?? "")
    return services
  }
}

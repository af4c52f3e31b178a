import GarlandWorkflow

extension Plan {
  /// Returns the indexes of the steps that a change of some files can affect.
  ///
  /// These are
  /// - the steps of changed documents,
  /// - the steps of each document that reads a secret from a changed file,
  /// - the steps of each document that uses a changed document with `auth` entries,
  /// - the steps that use a changed file, such as a body, a certificate, a file of rows or a snapshot,
  /// - the steps that call a document which contains an affected step,
  /// - all steps that depend on any of these steps.
  ///
  /// ```swift
  /// let smaller = plan.selecting(plan.affected(by: ["/work/tests/orders.yaml"], files: SystemFiles()))
  /// ```
  ///
  /// - Parameters:
  ///   - changed: the absolute paths of the changed files, in which symbolic links are already resolved.
  ///   - files: resolves symbolic links in the paths of the plan's files.
  public func affected(by changed: Set<String>, files: any WorkflowFiles) -> [Int] {
    var known: [ObjectIdentifier: Bool] = [:]
    return withDependents(directlyAffected(by: changed, files, &known))
  }

  private func directlyAffected(by changed: Set<String>, _ files: any WorkflowFiles, _ known: inout [ObjectIdentifier: Bool]) -> [Int] {
    func isChanged(_ path: String) -> Bool { changed.contains(files.resolve(path) ?? FileLinkFinder.normalized(path)) }
    func isChanged(_ workflow: Workflow) -> Bool {
      if isChanged(workflow.directory + "/" + (workflow.file.name.split(separator: "/").last.map(String.init) ?? "")) { return true }
      // Any step of the document may use the secret, also through `auth` or a variable.
      if workflow.secrets.contains(where: { secret in secret.file.map { isChanged($0.value) } ?? false }) { return true }
      // The step may use any `auth` entry of the other document, since the planner does not know which one it uses.
      return workflow.uses.contains { !$0.workflow.authentications.isEmpty && isChanged($0.workflow) }
    }
    let documents = workflows.map(isChanged)
    var result: [Int] = []
    for planned in steps {
      var isAffected = documents[planned.workflowIndex] || planned.step.files.contains(where: isChanged)
      if !isAffected, let call = planned.step.call {
        if let found = known[ObjectIdentifier(call.workflow)] {
          isAffected = found
        } else {
          isAffected = !(plan(called: call.workflow)?.directlyAffected(by: changed, files, &known).isEmpty ?? true)
          known[ObjectIdentifier(call.workflow)] = isAffected
        }
      }
      if isAffected { result.append(planned.index) }
    }
    return result
  }
}

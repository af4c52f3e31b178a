import GarlandWorkflow

extension Plan {
  /// The indexes of the steps that a change of some files can affect: those of changed documents, those that send or compare with a changed
  /// file, and all that depend on any of these.
  ///
  /// ```swift
  /// let smaller = plan.selecting(plan.affected(by: ["/work/tests/orders.yaml"], files: SystemFiles()))
  /// ```
  ///
  /// - Parameters:
  ///   - changed: absolute paths without symbolic links.
  ///   - files: resolves symbolic links.
  public func affected(by changed: Set<String>, files: any WorkflowFiles) -> [Int] {
    func isChanged(_ path: String) -> Bool { changed.contains(files.resolve(path) ?? FileLinkFinder.normalized(path)) }
    let documents = workflows.map { workflow in
      isChanged(workflow.directory + "/" + (workflow.file.name.split(separator: "/").last.map(String.init) ?? ""))
    }
    let direct = steps.indices.filter { index in
      let planned = steps[index]
      if documents[planned.workflowIndex] { return true }
      return FileLinkFinder.files(usedBy: planned.step).contains { path in
        guard let text = path.constantText else { return false }
        return isChanged(text.hasPrefix("/") ? text : planned.workflow.directory + "/" + text)
      }
    }
    return withDependents(direct)
  }
}

import GarlandDiagnostics
import GarlandPlanner
import GarlandWorkflow

extension Workspace {
  /// Returns the steps that did not pass in an earlier run, according to its JSON report, and the steps that these steps depend on. Returns
  /// nil if no step has to run, or after an error.
  ///
  /// A note names failed steps that the command line does not select. If a failed step is missing in `complete`, because the step or its
  /// document was renamed, this is an error: without the step, the run could pass.
  ///
  /// - Parameters:
  ///   - path: the report.
  ///   - plan: the steps that the command line selects.
  ///   - complete: the plan of all documents.
  ///   - isRerun: whether `--watch` has started this run after a change. Such a run contains only the steps that the change affects, so no
  ///     note names the other failed steps.
  mutating func failed(in path: String, of plan: Plan, complete: Plan, isRerun: Bool) throws(CommandFailure) -> Plan? {
    let past = try pastDurations(path, for: complete)
    // The other documents were not named. A document of this run, also under another name, must have the steps.
    let documents = Set(complete.workflows.map { files.files.resolve(absolute($0.file.name)) })
    let lost = past.failures(outside: complete).filter { name in
      let path = absolute(name.file)
      return files.files.kind(of: path) != .file || documents.contains(files.files.resolve(path))
    }
    guard lost.isEmpty else {
      let diagnostic = Diagnostic(.unknownStep, "\(Self.subject(lost, of: path)) not in this run: \(Self.list(lost))", at: nil)
      report(
        diagnostic.help(
          "name the documents as in the report; if a step or a document has a new name, run all steps without `--failed-from`"))
      return nil
    }
    let others = past.failures(outside: plan)
    if !others.isEmpty, !isRerun { note("note: \(Self.subject(others, of: path)) not selected: \(Self.list(others))") }
    let ends = past.ends(of: plan)
    let failed = plan.steps.indices.filter { ends[$0]?.isFailure == true }
    guard failed.isEmpty else { return plan.selecting(failed) }
    // A run may fail without a failed step, such as at its deadline or because of a flaky step.
    if let status = past.exitStatus, status != 0, others.isEmpty, !isRerun {
      throw .usage("every step passed in \(path), but its run ended with status \(status): run all steps again, without --failed-from")
    }
    nothingToDo =
      isRerun
      ? "the changes affect no step that failed in \(path)" : "every \(others.isEmpty ? "" : "selected ")step passed in \(path)"
    return nil
  }

  /// Returns the beginning of a sentence about failed steps, such as `2 steps that did not pass in run.json are`.
  private static func subject(_ names: [PastDurations.Name], of path: String) -> String {
    names.count == 1 ? "a step that did not pass in \(path) is" : "\(names.count) steps that did not pass in \(path) are"
  }

  private static func list(_ names: [PastDurations.Name]) -> String {
    names.prefix(8).map { "`\($0.file)#\($0.id)`" }.joined(separator: ", ") + (names.count > 8 ? " and \(names.count - 8) more" : "")
  }
}

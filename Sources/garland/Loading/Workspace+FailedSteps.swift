import GarlandDiagnostics
import GarlandPlanner

extension Workspace {
  /// Returns the steps of a plan that did not pass according to a JSON report, with their dependencies; nil if no step has to run, or after
  /// an error.
  ///
  /// A failed step of the report that the plan lacks is an error. The run would otherwise pass without it, although its document, its name
  /// or the selection may be wrong.
  ///
  /// - Parameters:
  ///   - path: the report.
  ///   - plan: the steps that the command line selects.
  ///   - complete: the plan of all documents.
  ///   - isRerun: whether `--watch` runs only the steps that a change affects, so that the plan may lack failed steps.
  mutating func failed(in path: String, of plan: Plan, complete: Plan, isRerun: Bool) throws(CommandFailure) -> Plan? {
    let past = try pastDurations(path, for: isRerun ? complete : plan)
    let lost = past.failures(outside: isRerun ? complete : plan)
    guard lost.isEmpty else {
      report(lostFailures(lost, of: path, isSelection: past.failures(outside: complete).isEmpty))
      return nil
    }
    let ends = past.ends(of: plan)
    let failed = plan.steps.indices.filter { ends[$0]?.isFailure == true }
    guard failed.isEmpty else { return plan.selecting(failed) }
    // A run may fail without a failed step, such as at its deadline or because of a flaky step.
    if let status = past.exitStatus, status != 0, !isRerun {
      throw .usage("every step passed in \(path), but its run ended with status \(status): run all steps again, without --failed-from")
    }
    nothingToDo = isRerun ? "the changes affect no step that failed in \(path)" : "every step passed in \(path)"
    return nil
  }

  /// Returns an error for failed steps of a report that are not in the plan.
  ///
  /// - Parameters:
  ///   - names: the steps, such as `books.yaml#read`.
  ///   - path: the report.
  ///   - isSelection: whether the documents have all the steps, so that the selection left them out.
  private func lostFailures(_ names: [String], of path: String, isSelection: Bool) -> Diagnostic {
    let shown = names.prefix(8).map { "`\($0)`" }.joined(separator: ", ") + (names.count > 8 ? " and \(names.count - 8) more" : "")
    let subject = names.count == 1 ? "a step that did not pass in \(path) is" : "\(names.count) steps that did not pass in \(path) are"
    return Diagnostic(.unknownStep, "\(subject) not in this run: \(shown)", at: nil).help(
      isSelection
        ? "leave out the options and names that select other steps, or leave out `--failed-from`"
        : "name the documents of the report; if a step or a file has a new name, run all steps without `--failed-from`")
  }
}

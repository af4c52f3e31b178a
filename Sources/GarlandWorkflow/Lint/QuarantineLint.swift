public import GarlandDiagnostics

/// Warnings for quarantines that end soon, that have ended, or whose step does not exist.
public enum QuarantineLint {
  /// A warning is reported for a quarantine that ends within this number of days.
  private static let notice = 7

  /// Returns the warnings for a list of quarantined steps.
  ///
  /// - Parameters:
  ///   - list: the quarantined steps.
  ///   - workflows: the documents that were read.
  ///   - files: the file system, to check whether the other documents in the list exist.
  ///   - today: the current date.
  public static func findings(
    in list: QuarantineList, _ workflows: [Workflow], files: any WorkflowFiles, today: CalendarDay
  ) -> DiagnosticList {
    var result = DiagnosticList()
    var known: [String: Workflow] = [:]
    for workflow in workflows {
      let name = workflow.file.name.split(separator: "/").last.map(String.init) ?? workflow.file.name
      if let path = files.resolve(workflow.directory + "/" + name) { known[path] = workflow }
    }
    for entry in list.entries {
      if let problem = problem(of: entry, known[entry.path], files) { result.report(problem) }
      if let problem = problem(of: entry, today) { result.report(problem) }
    }
    return result
  }

  private static func problem(of entry: QuarantineEntry, _ workflow: Workflow?, _ files: any WorkflowFiles) -> Diagnostic? {
    let id = entry.step.value
    if let workflow {
      guard workflow.step(id) == nil else { return nil }
      let diagnostic = Diagnostic(
        .quarantineUnused, severity: .warning, "\(workflow.file.name) has no step `\(id)`", at: entry.step.range)
      guard let near = Suggestion.nearest(to: id, in: workflow.steps.map(\.id)) else { return diagnostic.help("remove the entry") }
      return diagnostic.help("did you mean `\(near)`?", fix: .init(entry.step.range, YAMLQuoting.scalar("\(entry.document)#\(near)")))
    }
    guard files.kind(of: entry.path) == .missing else { return nil }
    return Diagnostic(.quarantineUnused, severity: .warning, "there is no document \(entry.document)", at: entry.step.range)
      .help("paths are relative to the list; remove the entry if the document was removed")
  }

  private static func problem(of entry: QuarantineEntry, _ today: CalendarDay) -> Diagnostic? {
    let days = entry.until.number - today.number
    let id = entry.step.value
    guard days >= 0 else {
      return Diagnostic(
        .quarantineOver, severity: .warning, "the quarantine of the step `\(id)` ended on \(entry.until): its failures count",
        at: entry.untilRange
      ).help("remove the entry, or give it a later date")
    }
    guard days <= notice else { return nil }
    let distance = days == 0 ? "today" : days == 1 ? "tomorrow" : "in \(days) days, on \(entry.until)"
    return Diagnostic(
      .quarantineEnds, severity: .warning, "the quarantine of the step `\(id)` ends \(distance): after that its failures count",
      at: entry.untilRange
    ).help("make the step reliable, or give the entry a later date")
  }
}

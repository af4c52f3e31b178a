import GarlandDiagnostics
import GarlandPlanner

extension Workspace {
  /// The steps that the command line names but that the text of no document contains. The text is searched, since there is no plan for
  /// documents with mistakes. Empty if a document can't be read or uses other documents.
  var stepsMissingInText: [String] {
    guard diagnostics.hasErrors else { return [] }
    var workspace = self
    let outlines = workspace.documentArguments.flatMap { workspace.expand($0) }.map { DocumentOutline(path: $0) }
    guard outlines.allSatisfy({ $0.map { !$0.usesOthers && !$0.steps.isEmpty } ?? false }) else { return [] }
    let ids = Set(outlines.flatMap { $0?.steps ?? [] })
    return namedSteps.filter { name in !ids.contains(name) && !name.contains { "*?#".contains($0) } }
  }
}

extension Diagnostic {
  /// Whether the mistake is in the command line, so that no change of a file corrects it: a name that no document has, or the value of an
  /// option.
  var isOfCommandLine: Bool {
    guard let range else { return code == .unknownStep || code == .undefinedTag || code == .noStepSelected }
    return range.file.name.hasPrefix("--")
  }
}

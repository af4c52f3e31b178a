import GarlandDiagnostics
import GarlandPlanner

extension Workspace {
  /// The steps that the command line names, but that no document contains.
  ///
  /// This list is needed only if the documents have mistakes: then there is no plan, and the steps are looked up in the text of the
  /// documents. The list is empty if a document can't be read, uses other documents, or has no steps.
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
  /// Whether the user must correct the mistake on the command line, not in a file. Such mistakes are a name that no document has, a
  /// selection without steps, and an invalid value of an option.
  var isOfCommandLine: Bool {
    guard let range else { return code == .unknownStep || code == .undefinedTag || code == .noStepSelected }
    return range.file.name.hasPrefix("--")
  }
}

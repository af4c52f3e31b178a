import GarlandDiagnostics
import GarlandPlanner
import GarlandWorkflow

extension Workspace {
  /// The minimum length of a literal credential that is masked in the output. A shorter credential, such as `token`, may also be an
  /// ordinary word of the output.
  private static let hiddenLength = 8

  /// Whether a warning is switched off by the project to which the warning's document belongs.
  func isIgnored(_ warning: Diagnostic) -> Bool {
    guard let projects, let code = IgnorableWarning(rawValue: "\(warning.code)") else { return false }
    let project = warning.range.map { projects.project(of: Workspace.folder(of: absolute($0.file.name))) } ?? projects.found.first
    return project?.ignoredWarnings.contains(code) ?? false
  }

  /// Warns of `--sandbox` if no document uses the URL of its server: all requests go to other servers then.
  mutating func warnOfUnusedSandbox(_ plan: Plan) {
    let name = RunInputs.sandboxVariable
    guard !plan.workflows.withUsedAndCalled.contains(where: { $0.environmentVariables.contains(name) }) else { return }
    report(
      Diagnostic("unused-sandbox", severity: .warning, "`--sandbox` has no effect: no document uses `env.\(name)`", at: nil)
        .help("write `base_url: ${env.\(name)}` under `defaults`; as it is, the requests go to the servers that the documents name"))
  }

  /// Reports suspicious parts of documents and their projects.
  mutating func reportLints(of plan: Plan) {
    for workflow in plan.workflows.withUsedAndCalled {
      report(lints: DocumentLint.findings(in: workflow, isOfProject: projects?.project(of: workflow.directory) != nil))
    }
    for list in projects?.foundQuarantines ?? [] {
      report(
        QuarantineLint.findings(in: list, plan.workflows.withUsedAndCalled, files: files.files, today: ProcessEnvironment.today))
    }
    for project in projects?.found ?? [] {
      report(lints: DocumentLint.findings(in: project, of: documents(of: project, in: plan)))
    }
  }

  /// Warns of placeholders of other tools, such as `{{name}}`, in the request of `garland send`. This request is in no document, so no
  /// `garland check` warns of them before the request is sent.
  mutating func warnOfTemplates(inRequestOf plan: Plan) {
    for planned in plan.steps(named: namedSteps).map({ plan.steps[$0] }) {
      let found = DocumentLint.findings(in: planned.workflow, isOfProject: false).diagnostics.all.filter { $0.code == .foreignTemplate }
      for lint in found where lint.range.map({ planned.step.range.offsets.contains($0.offsets.lowerBound) }) ?? false {
        if !isKnown(lint) { report(lint) }
      }
    }
  }

  /// Reports the invalid entries of `run.reports`, such as an entry with an unknown format, an entry without a file name, or a URL for a
  /// format other than `otlp`. A run refuses these entries.
  mutating func refuseReportsOfProjects() {
    for written in (projects?.found ?? []).flatMap(\.run.reports) {
      do throws(ReportMistake) {
        _ = try ReportOption(parsing: written.value)
      } catch {
        report(Diagnostic(.wrongType, error.message, at: written.range).help(error.help))
      }
    }
  }

  /// Returns the documents of the plan if they include every document in the folder of the project; otherwise nil.
  private func documents(of project: Project, in plan: Plan) -> [Workflow]? {
    let documents = plan.workflows.withUsedAndCalled
    func resolved(_ path: String) -> String { files.files.resolve(path) ?? path }
    let known = Set(
      documents.map { resolved($0.directory + "/" + ($0.file.name.split(separator: "/").last.map(String.init) ?? "")) })
    // Diagnostics are added to the copy and discarded with it.
    var copy = self
    let paths = copy.expand(project.directory).map(resolved)
    return !paths.isEmpty && known.isSuperset(of: paths) ? documents : nil
  }

  private mutating func report(lints: (diagnostics: DiagnosticList, credentials: [String])) {
    // The diagnostic quotes the line of the document that contains the credential.
    for credential in lints.credentials where credential.utf8.count >= Self.hiddenLength { redactor.register(credential) }
    for lint in lints.diagnostics.all where !isKnown(lint) { report(lint) }
  }

  /// Whether a diagnostic with the code of `lint` was already reported for the same file, in a range that overlaps the range of `lint`.
  private func isKnown(_ lint: Diagnostic) -> Bool {
    guard let range = lint.range else { return false }
    return diagnostics.all.contains { known in
      known.code == lint.code && known.range.map { $0.file.name == range.file.name && $0.offsets.overlaps(range.offsets) } ?? false
    }
  }
}

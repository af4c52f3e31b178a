import ArgumentParser
import GarlandDiagnostics
import GarlandPlanner
import GarlandReports
import Glibc

/// The output formats of the diagnostics.
enum CheckFormat: String, CaseIterable, ExpressibleByArgument {
  /// The output is text for people.
  case text
  /// The output is JSON for programs, described by `schemas/diagnostics.schema.json`.
  case json
  /// The output is in the format SARIF 2.1.0.
  case sarif
  /// The output consists of commands such as `::error …`, which GitHub Actions shows as annotations.
  case github
  /// The output is a Code Quality report for GitLab.
  case codeQuality = "code-quality"
}

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check workflows for mistakes. Nothing is sent.",
    discussion: """
      Examples:
        garland check smoke.yaml
        garland check tests/ --strict
        garland check --fix tests/
        garland check tests/ --format sarif > garland.sarif
        garland check - < smoke.yaml
      """)

  @OptionGroup var paths: PathArguments
  @OptionGroup(title: "Values and secrets") var values: ValueOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @Flag(name: .long, help: "Treat warnings as errors.") var strict = false
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Apply the fixes that need no further change, and show the difference. `--fix=ask` asks before each.",
      valueName: "mode"), completion: .custom(CheckCommand.modesOrPaths))
  var fix: FixMode?
  @Option(
    name: .long, help: "The format of diagnostics: text on standard error, or a format for programs on standard output.")
  var format = CheckFormat.text

  func validate() throws {
    if fix != nil, format != .text, readsDocumentFromInput {
      throw ValidationError("--fix - and --format can't be combined: both write to standard output.")
    }
  }

  func run() throws {
    let texts = try fix.map { try makeFixes($0) }
    let (workspace, plan) = try examine(texts)
    try show(workspace)
    if let texts { suggestAsking(workspace, texts) }
    guard let plan, !(strict && !workspace.diagnostics.isEmpty) else { throw ExitCode(2) }
    guard !output.quiet, format == .text, texts == nil || !readsDocumentFromInput else { return }
    let count = plan.steps.count
    let warnings = workspace.diagnostics.all.count
    let found = warnings == 0 ? "nothing is wrong" : "no errors, \(warnings) warning\(warnings == 1 ? "" : "s")"
    try workspace.terminal.remark("\(count) step\(count == 1 ? "" : "s") checked: \(found)\n")
  }

  /// Reads, plans and checks all documents. The plan is nil if there are errors.
  private func examine(_ texts: FixedTexts?) throws -> (Workspace, Plan?) {
    var workspace = Workspace(paths, values, output, environment: ProcessEnvironment.current, texts: texts)
    let plan = try workspace.plan()
    // `run --sandbox` sets this variable, so it is never reported as missing.
    let environment = workspace.variables.merging(["GARLAND_SANDBOX": ""]) { own, _ in own }
    if let plan {
      workspace.report(plan.unsetValues(secrets: workspace.secrets, environment: environment))
      workspace.reportLints(of: plan)
      workspace.refuseReportsOfProjects()
    }
    return (workspace, workspace.diagnostics.hasErrors ? nil : plan)
  }

  private func show(_ workspace: Workspace) throws {
    let root = SourceRoot(environment: workspace.environment)
    let findings = Findings(workspace.diagnostics.all, redactor: workspace.redactor, root: root)
    switch format {
    case .text:
      workspace.showDiagnostics()
      if fix == nil || !readsDocumentFromInput { workspace.annotate() }
    case .json: try CommandOutput.writeAll(findings.json(generator: "garland \(GarlandVersion.text)"), to: STDOUT_FILENO)
    case .sarif: try CommandOutput.writeAll(findings.sarif(version: GarlandVersion.text), to: STDOUT_FILENO)
    case .codeQuality: try CommandOutput.writeAll(findings.codeQuality(), to: STDOUT_FILENO)
    case .github:
      let lines = JobLog.github.lines(for: workspace.diagnostics.all, redactor: workspace.redactor, root: root)
      try CommandOutput.writeAll(Array(lines.map { $0 + "\n" }.joined().utf8), to: STDOUT_FILENO)
    }
  }

  // MARK: Fixes

  /// Returns the shell's suggestions for `--fix`: the names of the modes after `--fix=`, and paths and steps after `--fix` and a space. A
  /// mode can only follow `=`.
  @Sendable static func modesOrPaths(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    let isAfterEquals =
      words.indices.contains(index) && (words[index].hasPrefix("=") || words[index].contains("--fix=") || words[max(0, index - 1)] == "=")
    return isAfterEquals ? FixMode.allCases.map(\.rawValue) : Completion.pathsAndSteps(words, index, prefix)
  }

  private var readsDocumentFromInput: Bool { paths.arguments.contains(FixedTexts.standardInput) }

  /// Applies fixes, writes the files and shows the differences. If the document comes from standard input, the fixed document is written to
  /// standard output.
  private func makeFixes(_ mode: FixMode) throws -> FixedTexts {
    let texts = FixedTexts()
    let (workspace, _) = try examine(texts)
    try refuseUnknownSteps(workspace)
    var fixer = Fixer(texts, in: workspace.workingDirectory) { try examine(texts).0.diagnostics.all }
    switch mode {
    case .all: try fixer.fixAll()
    case .ask:
      guard !readsDocumentFromInput, var dialogue = FixDialogue(workspace.terminal) else {
        throw CommandFailure.usage("`--fix=ask` needs a terminal, but standard input or standard error is not a terminal")
      }
      try dialogue.carryOut(&fixer)
    }
    if fixer.count > 0 { try refuseMistakesOfCommandLine(texts) }
    let fixed = FixedFiles(texts)
    try fixed.write()
    if readsDocumentFromInput {
      try CommandOutput.writeAll(texts.input?.new ?? [], to: STDOUT_FILENO)
    } else if fixer.count > 0, !output.quiet, format == .text {
      try workspace.show(fixed.difference)
      let (fixes, files) = (fixer.count, fixed.count)
      try workspace.terminal.remark("\(fixes) fix\(fixes == 1 ? "" : "es") made in \(files) file\(files == 1 ? "" : "s")\n")
    }
    return texts
  }

  /// Throws an error if the command line names a step that does not exist. If the name is a mode of `--fix`, such as `ask`, the error
  /// suggests `--fix=ask`.
  private func refuseUnknownSteps(_ workspace: Workspace) throws {
    let missing = workspace.stepsMissingInText
    for name in workspace.namedSteps {
      let words = "there is no step `\(name)`"
      let isReported = workspace.diagnostics.all.contains { $0.code == .unknownStep && $0.message == words }
      guard isReported || missing.contains(name) else { continue }
      if FixMode(rawValue: name) != nil { throw CommandFailure.usage("\(words): to set the mode of `--fix`, write `--fix=\(name)`") }
      if !isReported { throw CommandFailure.usage("\(words), so no file was changed") }
    }
  }

  /// Throws if the command line has a mistake that can't be corrected in a document. The command then writes no corrected document.
  private func refuseMistakesOfCommandLine(_ texts: FixedTexts) throws {
    let (fixed, _) = try examine(texts)
    guard fixed.diagnostics.all.contains(where: { $0.severity == .error && $0.isOfCommandLine }) else { return }
    try show(fixed)
    if !output.quiet, format == .text { fixed.note("no file was changed") }
    throw ExitCode(2)
  }

  /// Suggests `--fix=ask` if some fixes require a choice by the user.
  private func suggestAsking(_ workspace: Workspace, _ texts: FixedTexts) {
    guard fix == .all, !output.quiet, format == .text else { return }
    let choices = workspace.diagnostics.all.count { diagnostic in
      !ProposedFix.all(of: diagnostic) { texts.path(of: $0, in: workspace.workingDirectory) }.isEmpty
    }
    guard choices > 0 else { return }
    workspace.note("\(choices) \(choices == 1 ? "has a fix that needs" : "have fixes that need") a choice: `--fix=ask` asks on a terminal")
  }
}

import GarlandDiagnostics
import GarlandJSON
import GarlandPlanner
import GarlandWorkflow
import Glibc

/// The properties that are compared to recognise duplicate diagnostics: code, message and source range.
private struct Finding: Hashable {
  let code: DiagnosticCode
  let message: String
  let range: SourceRange?

  init(_ diagnostic: Diagnostic) {
    code = diagnostic.code
    message = diagnostic.message
    range = diagnostic.range
  }
}

/// Reads, decodes and plans the documents that a command line names, and reports their mistakes in the same way for all commands.
struct Workspace {
  let terminal: Terminal
  /// The environment of the process, and the variables that the command sets itself.
  private(set) var environment: [String: String]
  let workingDirectory: String
  let files: FileAccess
  let arguments: PathArguments
  let values: ValueOptions
  let output: OutputOptions
  private(set) var diagnostics = DiagnosticList()
  private var told: Set<Finding> = []
  var secrets: [String: String] = [:]
  /// Maps the name of each secret to a description of its source: the option or the file that sets the value.
  var secretSources: [String: String] = [:]
  /// The `.env` files in the folder of the project file.
  var environmentFiles = EnvironmentFiles()
  /// The decoded documents and their profiles.
  private(set) var library = DocumentLibrary()
  /// The secrets that are set with `--secret`.
  var givenSecrets: [Located<String>] = []
  /// The variables that the command line sets.
  private(set) var overrides: [WorkflowDecoder.Override] = []
  /// The values that `--var step.member=value` sets in place of a step's results, for a command that sends no requests. The keys have the
  /// form `step.member`.
  var given: [String: JSONValue] = [:]
  /// Whether `garland send` added the step that runs. Other commands cannot run this step, since it is not in any file.
  var isSending = false
  /// The texts of the files, with the changes that `check --fix` or `send` has made in memory; nil for other commands.
  private let texts: FixedTexts?
  /// The reason why no step has to run; nil if there are steps to run, or if the command line is invalid.
  var nothingToDo: String?
  /// Finds the project files to which the documents belong; nil with `--no-project`.
  let projects: ProjectFinder?

  init(
    _ arguments: PathArguments, _ values: ValueOptions, _ output: OutputOptions, environment: [String: String], texts: FixedTexts? = nil
  ) {
    self.texts = texts
    self.environment = environment
    let directory = ProcessEnvironment.currentDirectory()
    let system = SystemFiles()
    let arguments = arguments.splittingSteps { system.kind(of: Workspace.absolute($0, in: directory)) == .file }
    self.arguments = arguments
    self.values = values
    self.output = output
    terminal = Terminal(output.color, environment: environment)
    workingDirectory = directory
    var roots = [FileAccess.projectRoot(of: directory, in: system)]
    roots += arguments.project.allowedPaths.map { Workspace.absolute($0, in: directory) }
    // A user who names a document on the command line trusts its project in any folder.
    for argument in arguments.arguments where argument != "-" {
      let path = Workspace.absolute(argument, in: directory)
      switch system.kind(of: path) {
      case .folder: roots.append(FileAccess.projectRoot(of: path, in: system))
      case .file: roots.append(FileAccess.projectRoot(of: Workspace.folder(of: path), in: system))
      case .missing, .unreadable: break
      }
    }
    if let project = arguments.project.file { roots.append(Workspace.folder(of: Workspace.absolute(project, in: directory))) }
    files = FileAccess(texts ?? system, roots: roots)
    let choice = arguments.project.file.map { ProjectFinder.Choice.file(Workspace.absolute($0, in: directory)) } ?? .nearest
    projects = arguments.project.noProject ? nil : ProjectFinder(choice, files: files, workingDirectory: directory)
  }

  /// Sets a variable in ``environment``. The environment of the process is unchanged.
  mutating func set(_ name: String, to value: String) { environment[name] = value }

  /// The environment variables from which `env.NAME` and the secrets get their values. The variables of the process's environment take
  /// precedence over the variables of the `.env` files.
  var variables: [String: String] { environmentFiles.isEmpty ? environment : environmentFiles.texts.merging(environment) { $1 } }

  /// The name by which messages refer to the text from standard input.
  var inputName: String { texts?.inputName ?? StandardInput.name }

  func readStandardInput(limit: Int) throws(WorkflowFileError) -> [UInt8] {
    if let texts { return try texts.readStandardInput(limit: limit) }
    return try StandardInput.read(limit: limit)
  }

  private static func absolute(_ path: String, in directory: String) -> String { path.hasPrefix("/") ? path : directory + "/" + path }

  /// Returns the folder of an absolute path.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// The redactor that masks all secrets in the output of the command.
  var redactor: Redactor { terminal.redactor }

  func absolute(_ path: String) -> String { Workspace.absolute(path, in: workingDirectory) }

  /// The steps that the command line names: first the arguments that are names of steps, then the values of `--step`.
  var namedSteps: [String] { arguments.arguments.filter { $0 != "-" && !looksLikePath($0) } + arguments.steps.names }

  /// Reads, decodes and plans all documents that the paths name. Returns nil if there are errors, which `showDiagnostics` shows.
  mutating func completePlan() -> Plan? {
    let plan = planDocuments()
    if plan == nil { nameUnusedProject() }
    return plan
  }

  private mutating func planDocuments() -> Plan? {
    overrides = readValues()
    let paths = documentArguments
    if paths == [Self.defaultDocument], isMissing(Self.defaultDocument), brokenProject == nil, let step = namedSteps.first {
      reportNoDocument(for: step)
      return nil
    }
    var documents: [String] = []
    var found: Set<String> = []
    for path in paths {
      let expanded = expand(path)
      if expanded != [path] { found.formUnion(expanded) }
      documents += expanded
    }
    var options = WorkflowDecoder.Options(files: files, profile: values.profile, overrides: overrides)
    options.projects = projects
    options.library = library
    options.today = ProcessEnvironment.today
    readEnvironmentFiles(for: documents)
    for path in documents where Project.isProject(path) { checkProject(at: path, options) }
    for path in documents where QuarantineList.isList(path) { checkQuarantine(at: path) }
    documents.removeAll { Project.isProject($0) || QuarantineList.isList($0) }
    var workflows = documents.compactMap { decode($0, options) }
    refuseUnknownProfile(of: documents.map { $0 == "-" ? inputName : $0 }, options.library)
    nameMissingProfile(options.library)
    guard workflows.count == documents.count, !diagnostics.hasErrors else {
      registerSecretsNamedInText(of: documents)
      reportCycles(of: workflows + options.library.documentsWithErrors)
      return nil
    }
    // A document in a folder that requires inputs is meant to be called by other documents.
    let runnable = workflows.filter { workflow in
      !(found.contains(workflow.file.name) && workflow.inputs.contains { $0.isRequired && $0.given == nil })
    }
    if !runnable.isEmpty { workflows = runnable }
    readSecretFiles(of: workflows.withUsedAndCalled)
    registerSecrets(of: workflows.withUsedAndCalled)
    refuseUnusedVariables(overrides, workflows.withUsed)
    refuseUnknownSecrets(workflows)
    let planned = Planner(workingDirectory: workingDirectory, files: files.files).plan(workflows)
    report(planned.diagnostics)
    guard let complete = planned.plan, !diagnostics.hasErrors else { return nil }
    // The process ends with the command. Freeing a plan of 10,000 steps before would take a tenth of the time of `check`.
    _ = Unmanaged.passRetained(complete)
    warnOfAmbiguity(complete)
    report(complete.check(files: files, workingDirectory: workingDirectory))
    return diagnostics.hasErrors ? nil : complete
  }

  /// Reports that the command line names the step `step`, but no document that could contain the step.
  private mutating func reportNoDocument(for step: String) {
    let meant = [step, step + ".yaml"].lazy.compactMap { [files, workingDirectory] name in
      files.files.kind(of: workingDirectory + "/" + name) == .file ? name : files.files.nearest(to: name, in: workingDirectory)
    }.first
    let command = CommandLine.arguments.dropFirst().prefix { $0 != step && !$0.hasPrefix("-") }.joined(separator: " ")
    report(
      Diagnostic(
        "no-such-file",
        "there is no file or folder `\(step)`; if `\(step)` is a step, also name its workflow file, because there is no \(Self.defaultDocument)",
        at: nil
      )
      .help(
        meant.map { "did you mean `\($0)`?" }
          ?? "name a workflow file first: `garland \(command) FILE \(ShellWord.quoted(step))`"))
  }

  /// Warns of an argument that is both a path and the name of a step. The argument is used as a path, although the user may mean the step.
  private mutating func warnOfAmbiguity(_ plan: Plan) {
    for argument in arguments.arguments where !argument.contains("/") && argument != "-" && looksLikePath(argument) {
      guard !plan.steps(named: [argument]).isEmpty else { continue }
      let kind = files.files.kind(of: absolute(argument)) == .folder ? "folder" : "file"
      report(
        Diagnostic("ambiguous-argument", severity: .warning, "`\(argument)` is a step, and also a \(kind), which is used here", at: nil)
          .help("the step is `--step \(argument)`, and the \(kind) alone `./\(argument)`"))
    }
  }

  /// Reports cycles between documents even if the documents have other mistakes, so that all mistakes are shown together.
  private mutating func reportCycles(of workflows: [Workflow]) {
    let planned = Planner(workingDirectory: workingDirectory, files: files.files).plan(workflows)
    for diagnostic in planned.diagnostics.all where diagnostic.code == .cycle { report(diagnostic) }
  }

  /// Returns the selected part of a plan, including its dependencies; nil if no step is selected, or after an error.
  ///
  /// - Parameters:
  ///   - complete: the plan of all documents.
  ///   - selection: the tags, patterns and changes that select steps.
  ///   - listed: the names of the steps to select. If the list is empty, the command line and `selection` select the steps. If no step has
  ///     one of the listed names, the result is the whole plan.
  ///   - others: further names, which are added to the step names on the command line. Ignored if the command line names no steps.
  /// - Throws: an error if git can't list the changes.
  mutating func select(
    from complete: Plan, _ selection: SelectionOptions?, only listed: [String] = [], and others: [String] = []
  ) throws(CommandFailure) -> Plan? {
    guard listed.isEmpty else {
      let found = complete.steps(named: listed)
      return found.isEmpty ? complete : complete.selecting(found)
    }
    var steps = namedSteps
    if !steps.isEmpty { steps += others }
    var complete = complete
    if let revision = selection?.changedSince, let affected = try affected(complete, since: revision) {
      guard !affected.isEmpty else {
        nothingToDo = "no change since \(revision) affects a step"
        return nil
      }
      complete = complete.selecting(affected)
    }
    do throws(SelectionError) {
      let selected = try complete.select(
        Selection(steps: steps, tags: selection?.tags ?? [], only: selection?.only ?? [], skip: selection?.skip ?? []))
      dropWarnings(of: complete, outside: selected.steps)
      return selected
    } catch {
      report(error.diagnostics)
      return nil
    }
  }

  /// Removes each warning about an unused extract if a value of `--print` uses this extract.
  mutating func dropUnusedExtracts(namedIn prints: [String]) {
    guard !prints.isEmpty else { return }
    var kept = DiagnosticList()
    for diagnostic in diagnostics.all {
      let name = diagnostic.message.split(separator: "`").dropFirst().first ?? ""
      if diagnostic.code != .unusedExtract || !prints.contains(where: { $0.contains(name) }) { kept.report(diagnostic) }
    }
    diagnostics = kept
  }

  /// Removes warnings about steps that are not selected, and warnings about documents of which no step is selected. Warnings about a
  /// document that a selected step calls are kept.
  mutating func dropWarnings(of complete: Plan, outside selected: [PlannedStep]) {
    guard selected.count < complete.steps.count, diagnostics.all.contains(where: { $0.severity == .warning }) else { return }
    func name(_ planned: PlannedStep) -> String { "\(planned.step.idRange.file.name)#\(planned.step.id)" }
    let chosen = Set(selected.map(name))
    let left = complete.steps.filter { !chosen.contains(name($0)) }.map(\.step.range)
    let called = selected.compactMap { $0.step.call?.workflow }.withUsedAndCalled
    let near = Set(selected.map(\.step.idRange.file.name) + called.map(\.file.name))
    let far = Set(complete.workflows.withUsedAndCalled.map(\.file.name)).subtracting(near)
    func isOutside(_ range: SourceRange) -> Bool {
      far.contains(range.file.name)
        || left.contains { $0.file.name == range.file.name && $0.offsets.contains(range.offsets.lowerBound) }
    }
    var kept = DiagnosticList()
    for diagnostic in diagnostics.all {
      let places = [diagnostic.range].compactMap { $0 } + diagnostic.notes.compactMap(\.range)
      if diagnostic.severity == .error || !places.contains(where: isOutside) { kept.report(diagnostic) }
    }
    diagnostics = kept
  }

  /// Returns the selected plan; nil if there are errors.
  mutating func plan(_ selection: SelectionOptions? = nil) throws(CommandFailure) -> Plan? {
    guard let complete = completePlan() else { return nil }
    return try select(from: complete, selection)
  }

  /// Returns the indexes of the steps that the changes since a revision can affect; nil if all steps can be affected.
  private func affected(_ plan: Plan, since revision: String) throws(CommandFailure) -> [Int]? {
    // The documents may be in other repositories than the working directory.
    let changed = try ChangedFiles.since(revision, in: Set(plan.workflows.map(\.directory)).sorted(), files: files.files)
    guard changed.isDisjoint(with: sharedFiles) else { return nil }
    return plan.affected(by: changed, files: files.files)
  }

  /// Adds a diagnostic, unless an equal diagnostic was already reported for the same position. A mistake in a project file is found again
  /// with each document of the project.
  mutating func report(_ diagnostic: Diagnostic) {
    if diagnostic.severity == .warning, isIgnored(diagnostic) { return }
    let diagnostic = advice(on: diagnostic).map { diagnostic.help($0) } ?? diagnostic
    guard told.insert(Finding(diagnostic)).inserted else { return }
    diagnostics.report(diagnostic)
  }

  /// Returns further advice on a mistake; nil if there is none. The advice depends on the command and on the files that the command reads.
  private func advice(on diagnostic: Diagnostic) -> String? {
    if diagnostic.code == .missingSecret { return adviceOnEnvironmentFile }
    // Without `--in`, no document could set a base URL.
    guard isSending, diagnostic.code == .relativeURL, arguments.arguments == [FixedTexts.standardInput] else { return nil }
    return "to use the `base_url` of a document, name the document with `--in FILE`"
  }

  mutating func report(_ list: DiagnosticList) { for diagnostic in list.all { report(diagnostic) } }

  /// Calls `body` with the list of diagnostics, to which `body` adds its own diagnostics.
  mutating func collecting<Result>(_ body: (inout DiagnosticList) -> Result) -> Result { body(&diagnostics) }

  func looksLikePath(_ argument: String) -> Bool {
    if argument.hasSuffix(".yaml") || argument.hasSuffix(".yml") || argument.contains("/") { return !argument.contains("#") }
    return files.files.kind(of: absolute(argument)) != .missing
  }

  /// Registers all secrets with the redactor, even those that no step uses, since documents and servers may contain them.
  private func registerSecrets(of workflows: [Workflow]) {
    let variables = variables
    for workflow in workflows {
      for secret in workflow.secrets {
        if let value = secrets[secret.name] ?? variables[secret.name] { redactor.register(value) }
      }
    }
  }

  /// Reports a variable of the command line that no document declares, since its name is probably misspelt. A variable from a file is
  /// allowed, since the file may be used with other documents.
  private mutating func refuseUnusedVariables(_ overrides: [WorkflowDecoder.Override], _ workflows: [Workflow]) {
    guard let first = workflows.first else { return }
    var named: Set<String> = []
    let known = workflows.flatMap { workflow in
      workflow.variables.filter { $0.origin != .commandLine }.map(\.name) + workflow.inputs.map(\.name.value)
    }.filter { named.insert($0).inserted }
    let secrets = Set(workflows.withUsedAndCalled.flatMap { $0.secrets.map(\.name) })
    var seen: Set<String> = []
    for override in overrides where override.origin == .commandLine && seen.insert(override.name.value).inserted {
      let name = override.name.value
      guard workflows.allSatisfy({ $0.findings.unusedOverrides.contains { $0.value == name } }) else { continue }
      let whose = workflows.count == 1 ? first.file.name : "any of the documents"
      let diagnostic = Diagnostic(
        "unknown-variable", "\(workflows.count == 1 ? "\(whose) has no variable `\(name)`" : "no document has a variable `\(name)`")",
        at: override.name.range)
      if secrets.contains(name) {
        diagnostics.report(diagnostic.help("`\(name)` is a secret: write `--secret \(name)=…`, or set it in the environment"))
      } else if let near = Suggestion.nearest(to: name, in: known) {
        diagnostics.report(diagnostic.help("did you mean `\(near)`?"))
      } else {
        diagnostics.report(
          diagnostic.help(
            known.isEmpty ? "it has no `vars` and no `inputs`" : "available: \(known.prefix(8).map { "`\($0)`" }.joined(separator: ", "))"))
      }
    }
  }
}

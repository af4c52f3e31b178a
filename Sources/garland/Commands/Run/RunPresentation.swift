import GarlandDiagnostics
import GarlandPlanner
import GarlandReports
import GarlandResults
import Glibc

/// The reporters of a run, and the options of each.
struct RunPresentation {
  private let command: RunCommand
  private let workspace: Workspace
  /// The index of the step whose body the user has requested; nil if no body was requested.
  let stepInFocus: Int?
  private let plan: Plan

  init(_ command: RunCommand, _ workspace: Workspace, _ plan: Plan) {
    self.command = command
    self.workspace = workspace
    self.plan = plan
    let results = command.results
    let hasStandardOutput = !command.load.sendsLoad && results.print.isEmpty && !results.report.contains { $0.isStandardOutput }
    let wantsBody = results.show == .body || (results.show == nil && !workspace.output.verbose)
    guard hasStandardOutput, wantsBody, let last = workspace.namedSteps.last else {
      stepInFocus = nil
      return
    }
    let found = plan.steps(named: [last])
    stepInFocus = found.count == 1 ? found.first : nil
  }

  /// The maximum number of bytes of each body that the run keeps in memory, so that the console can show the body. Nil means the default
  /// number, which is sufficient for reports of failures.
  var keptBodyBytes: Int? {
    // Bodies that are shown together with other output are shown completely, up to a readable size.
    stepInFocus == nil && (command.results.show == .body || command.results.show == .all) ? 64 << 20 : nil
  }

  func reporters() throws -> sending [any Reporter] {
    var options = ConsoleOptions(environment: workspace.environment)
    if options.log != nil { options.sourceRoot = SourceRoot(environment: workspace.environment) }
    if workspace.output.quiet { options.verbosity = .quiet }
    if workspace.output.verbose { options.verbosity = .verbose }
    options.show = stepInFocus == nil ? command.results.show : nil
    if let stepInFocus {
      options.bodyAloneOf = "\(plan.steps[stepInFocus].workflow.file.name)#\(plan.steps[stepInFocus].step.id)"
      let output = JobOutput(workspace.environment)
      options.commandPause = output.pause
      options.breaksCommands = output.breaksCommands
    }
    if !command.results.print.isEmpty || command.results.report.contains(where: \.isStandardOutput) { options.destination = .standardError }
    options.suggestsReruns = !workspace.isSending
    // In plan order, all repetitions of the first step would precede the second step.
    if command.again.repeats { options.order = .completion }
    let clock = ContinuousClock()
    let start = clock.now
    var reporters: [any Reporter] = [
      ConsoleReporter(
        options: options, standardOutput: workspace.terminal.console(STDOUT_FILENO),
        standardError: workspace.terminal.console(STDERR_FILENO), redactor: workspace.redactor,
        clock: { clock.now - start })
    ]
    for report in command.results.report {
      do throws(ReportError) {
        reporters.append(try Self.reporter(report, workspace.redactor, command.results.keptBodies))
      } catch {
        throw CommandFailure.local("\(error)")
      }
    }
    if let summary = Self.jobSummary(workspace.environment, workspace.redactor) { reporters.append(summary) }
    return reporters
  }

  /// Returns the reporter for the summary page of a GitHub Actions job; nil if there is no such page.
  private static func jobSummary(_ environment: [String: String], _ redactor: Redactor) -> sending (any Reporter)? {
    guard let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return nil }
    return MarkdownReporter(appendingTo: path, redactor: redactor, hostname: ProcessEnvironment.hostName)
  }

  private static func reporter(_ report: ReportOption, _ redactor: Redactor, _ bodies: ReportBodies) throws(ReportError)
    -> sending any Reporter
  {
    try report.reporter(redactor, hostname: ProcessEnvironment.hostName, includesAllBodies: bodies == .all)
  }

  /// Writes the reports of a run that could not begin, so that a user does not mistake the reports of an earlier run for those of this run.
  ///
  /// - Parameters:
  ///   - reports: the reports that the command line or the project requests.
  ///   - diagnostics: the mistakes; empty if there are no steps to run, which is not a mistake.
  ///   - status: the exit status of the command.
  ///   - environment: the environment variables; in a CI job, one of them contains the path of the file for the job's summary.
  /// - Returns: the errors of reports that could not be written.
  static func refuse(
    _ reports: [ReportOption], _ redactor: Redactor, _ diagnostics: [Diagnostic], status: Int32, _ environment: [String: String]
  ) -> [ReportError] {
    var summary = RunSummary()
    let errors = diagnostics.filter { $0.severity == .error }
    let refused = errors.isEmpty ? diagnostics : errors
    if status != 0, let first = refused.first {
      summary.refusal = RunRefusal(refused, exitStatus: status)
      summary.earlyEnd = EarlyEnd(.other, "the run did not begin: \(first.message)")
    }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let now = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    var problems: [ReportError] = []
    func write(_ make: () throws(ReportError) -> (any Reporter)?) {
      do throws(ReportError) {
        guard let reporter = try make() else { return }
        reporter.receive(.runStarted(RunStart(runID: "", startedAt: now, steps: [], dependencies: [], concurrency: 0)))
        for diagnostic in diagnostics { reporter.receive(.notice(diagnostic)) }
        reporter.receive(.runEnded(summary))
        try reporter.finish()
      } catch {
        problems.append(error)
      }
    }
    for report in reports { write { () throws(ReportError) in try Self.reporter(report, redactor, .failed) } }
    write { jobSummary(environment, redactor) }
    return problems
  }

  /// The options of this run, such as `--var`, that a rerun of the failed steps also needs. Reports suggest a command for the rerun, and
  /// the command contains these options. In the command, each secret is shown as `…`, which the user replaces with the secret.
  var rerunOptions: [String] {
    let values = workspace.values
    var options = command.setup.sandbox ? ["--sandbox"] : []
    if command.setup.yes { options.append("--yes") }
    if let project = workspace.arguments.project.file { options += ["--project", project] }
    if workspace.arguments.project.noProject { options.append("--no-project") }
    if let profile = values.profile { options += ["--profile", profile] }
    for file in values.variableFiles { options += ["--vars-file", file] }
    for file in values.secretFiles { options += ["--secrets-file", file] }
    for variable in values.variables { options += ["--var", variable] }
    for variable in values.textVariables { options += ["--var-string", variable] }
    // The user replaces the `…`.
    for secret in values.secrets { options += ["--secret", "\(secret.prefix { $0 != "=" })=…"] }
    if let choice = command.tokens.tokenCache { options += ["--token-cache", choice.rawValue] }
    for path in workspace.arguments.project.allowedPaths { options += ["--allow-path", path] }
    return options
  }
}

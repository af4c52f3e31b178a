import GarlandDiagnostics
import GarlandPlanner
import GarlandReports
import Glibc

/// Who is told of a run, and what each of them shows.
struct RunPresentation {
  private let command: RunCommand
  private let workspace: Workspace
  /// The step, named by hand, whose body is what the user came for.
  let stepInFocus: Int?
  private let plan: Plan

  init(_ command: RunCommand, _ workspace: Workspace, _ plan: Plan) {
    self.command = command
    self.workspace = workspace
    self.plan = plan
    let hasStandardOutput = command.print.isEmpty && !command.report.contains { $0.isStandardOutput }
    let wantsBody = command.show == .body || (command.show == nil && !workspace.output.quiet && !workspace.output.verbose)
    guard hasStandardOutput, wantsBody, let last = workspace.namedSteps.last else {
      stepInFocus = nil
      return
    }
    let found = plan.steps(named: [last])
    stepInFocus = found.count == 1 ? found.first : nil
  }

  /// How much of a body is kept for showing; nil for what is enough for failures.
  var keptBodyBytes: Int? {
    // Bodies that are shown among others are shown whole, up to what can be expected to be read.
    stepInFocus == nil && (command.show == .body || command.show == .all) ? 64 << 20 : nil
  }

  func reporters() throws -> sending [any Reporter] {
    var options = ConsoleOptions(environment: workspace.environment)
    if workspace.output.quiet { options.verbosity = .quiet }
    if workspace.output.verbose { options.verbosity = .verbose }
    options.show = stepInFocus == nil ? command.show : nil
    if let stepInFocus {
      options.bodyAloneOf = "\(plan.steps[stepInFocus].workflow.file.name)#\(plan.steps[stepInFocus].step.id)"
      options.commandPause = ActionsLog.commandPause(workspace.environment)
    }
    if !command.print.isEmpty || command.report.contains(where: \.isStandardOutput) { options.destination = .standardError }
    options.rerunOptions = rerunOptions
    let clock = ContinuousClock()
    let start = clock.now
    var reporters: [any Reporter] = [
      ConsoleReporter(
        options: options, standardOutput: workspace.terminal.console(STDOUT_FILENO),
        standardError: workspace.terminal.console(STDERR_FILENO), redactor: workspace.redactor,
        clock: { clock.now - start })
    ]
    guard !command.report.isEmpty else { return reporters }
    let host = ProcessEnvironment.hostName
    for report in command.report {
      do throws(ReportError) {
        switch report.kind {
        case .junit: reporters.append(try JUnitReporter(path: report.path, redactor: workspace.redactor, hostname: host))
        case .json:
          let options = JSONReporter.Options(generator: "garland \(GarlandVersion.text)", hostname: host)
          reporters.append(try JSONReporter(path: report.path, redactor: workspace.redactor, options: options))
        }
      } catch {
        throw CommandFailure.local("\(error)")
      }
    }
    return reporters
  }

  /// Where values come from; secrets of the command line are left to the user.
  private var rerunOptions: [String] {
    let values = workspace.values
    var options = command.sandbox ? ["--sandbox"] : []
    if let profile = values.profile { options += ["--profile", profile] }
    for file in values.variableFiles { options += ["--vars-file", file] }
    for file in values.secretFiles { options += ["--secrets-file", file] }
    for variable in values.variables { options += ["--var", variable] }
    for variable in values.textVariables { options += ["--var-string", variable] }
    if let choice = command.tokens.tokenCache { options += ["--token-cache", choice.rawValue] }
    for path in workspace.arguments.allowedPaths { options += ["--allow-path", path] }
    return options
  }
}

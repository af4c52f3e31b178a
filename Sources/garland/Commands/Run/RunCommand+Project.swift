import ArgumentParser
import GarlandDiagnostics
import GarlandPlanner
import GarlandRunner
import GarlandWorkflow
import Glibc

extension RunCommand {
  /// Returns a copy of the command in which options that the user did not set have the values of the project.
  func settled(by workspace: Workspace) throws -> RunCommand {
    guard let project = workspace.projectOfArguments else { return self }
    var command = self
    command.pace.concurrency = pace.concurrency ?? project.run.concurrency?.value
    command.pace.deadline = pace.deadline ?? project.run.deadline.map { DurationArgument($0.value) }
    guard results.report.isEmpty, !project.run.reports.isEmpty else { return command }
    command.results.report = try project.run.reports.map { written throws(CommandFailure) in
      do throws(ReportMistake) {
        return try ReportOption(parsing: Self.located(written.value, project, workspace))
      } catch {
        throw .usage("\(written.range): \(error.message); \(error.help)")
      }
    }
    do {
      try command.validate()
    } catch {
      throw CommandFailure.usage("\(project.file.name): \((error as? ValidationError)?.message ?? "\(error)")")
    }
    return command
  }

  /// Replaces the path in an entry `FORMAT=FILE` of the project's `run.reports`: a path that is relative to the project becomes relative to
  /// the working directory.
  private static func located(_ report: String, _ project: Project, _ workspace: Workspace) -> String {
    guard let equals = report.firstIndex(of: "="), case let path = report[report.index(after: equals)...], !path.isEmpty, path != "-",
      !path.contains("://")
    else { return report }
    return "\(report[..<equals])=\(project.path(String(path), from: workspace.workingDirectory))"
  }

  /// Asks the user for confirmation on a terminal if the profile requires it. Without a terminal, the option `--yes` is required.
  ///
  /// If there are mistakes that prevent the run, such as a missing secret, shows them and returns false without asking the user. Throws an
  /// error if the user does not confirm.
  func confirm(_ plan: Plan, _ prints: [RunPrint], _ workspace: inout Workspace) throws(CommandFailure) -> Bool {
    guard !setup.yes, let confirmation = plan.workflows.withUsedAndCalled.lazy.compactMap(\.confirmation).first else { return true }
    var configuration = RunConfiguration(
      environment: workspace.variables, workingDirectory: workspace.workingDirectory, files: workspace.files, redactor: workspace.redactor)
    configuration.secrets = workspace.secrets
    configuration.prints = prints
    workspace.report(Run.problems(of: plan, configuration))
    guard !workspace.diagnostics.hasErrors, !(setup.strict && !workspace.diagnostics.isEmpty) else {
      workspace.showDiagnostics()
      tell(ofNoRun: workspace, status: 2)
      return false
    }
    let words = "the profile `\(confirmation.value)` has to be confirmed (\(confirmation.range))"
    guard isatty(STDIN_FILENO) != 0, isatty(STDERR_FILENO) != 0 else { throw .commandLine("\(words): run with --yes") }
    let count = plan.steps.count
    let hosts = Self.hosts(of: plan, configuration)
    let target = hosts.isEmpty ? "" : "\(count == 1 ? "the step sends" : "the steps send") to \(hosts.joined(separator: ", "))\n"
    workspace.terminal.note("\(words)\n\(target)\("Run \(count) step\(count == 1 ? "" : "s")?", .emphasis) [y]es, [n]o: ")
    guard let answer = readLine()?.drop(while: { $0 == " " }).lowercased(), ["y", "yes"].contains(answer) else {
      throw .usage("not confirmed; nothing was sent")
    }
    return true
  }

  /// Returns up to three hosts to which the plan sends requests, and the number of further hosts. Hosts that are only known during the run
  /// are not included.
  private static func hosts(of plan: Plan, _ configuration: RunConfiguration) -> [String] {
    let requests = RequestListing(of: plan, configuration)
    var hosts: [String] = []
    for step in plan.steps {
      guard let url = requests.request(of: step)?.url, let start = url.firstRange(of: "://") else { continue }
      let host = String(url[start.upperBound...].prefix { !"/?#".contains($0) }.split(separator: "@").last ?? "")
      guard !host.isEmpty, !host.contains("${"), !hosts.contains(host) else { continue }
      hosts.append(host)
    }
    return hosts.prefix(3) + (hosts.count > 3 ? ["\(hosts.count - 3) more"] : [])
  }
}

extension Workspace {
  /// Reports an error if a plan has no steps, for example because the command line names only a project file. Returns whether the plan has
  /// steps.
  ///
  /// - Parameter command: the name of the command, with the options that it needs. The error may suggest this command.
  mutating func requireSteps(of plan: Plan, for command: String = "run") -> Bool {
    guard plan.steps.isEmpty else { return true }
    guard let path = arguments.arguments.first(where: Project.isProject) else {
      report(Diagnostic(.noStepSelected, "no document has a step", at: nil).help("name a workflow with `steps`, or a folder of workflows"))
      return false
    }
    let folder = Workspace.folder(of: absolute(path))
    let diagnostic = Diagnostic(.noStepSelected, "the project file `\(path)` has no steps", at: nil)
    let shown = path.contains("/") ? " \(path.dropLast(Project.fileName.count))" : ""
    let hasPaths = projects?.project(of: folder)?.run.paths.isEmpty == false
    report(
      diagnostic.help(
        hasPaths && folder == workingDirectory
          ? "to \(command.prefix { $0 != " " }) the documents of the project, write `garland \(command)`"
          : "name a workflow, or a folder of workflows: `garland \(command)\(shown.isEmpty ? " ." : shown)`"))
    return false
  }
}

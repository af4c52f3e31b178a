import ArgumentParser
import GarlandDiagnostics
import GarlandPlanner
import GarlandRunner

struct CurlCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "curl",
    abstract: "Print the curl command that sends the same request as a step. Nothing is sent.",
    discussion: """
      Examples:
        garland curl smoke.yaml login
        garland curl smoke.yaml remove --var create.id=7 --var login.token=abc
        garland curl garland.yaml first --sandbox
        eval "$(garland curl smoke.yaml health)"

      Give values of other steps with --var. Secrets become shell variables;
      standard error lists the variables to set.
      """)

  @OptionGroup var paths: PathArguments
  @OptionGroup(title: "Values and secrets") var values: ValueOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @Flag(
    name: .long,
    help: "Unless env.GARLAND_SANDBOX is set, set it to http://127.0.0.1:8080, the URL of `garland sandbox`.")
  var sandbox = false

  func run() throws {
    var environment = ProcessEnvironment.current
    if sandbox, (environment["GARLAND_SANDBOX"] ?? "").isEmpty {
      environment["GARLAND_SANDBOX"] = "http://127.0.0.1:\(SandboxCommand.defaultPort)"
    }
    var workspace = Workspace(paths, values, output, environment: environment)
    var commands: [StepCommand] = []
    var chosen: [PlannedStep] = []
    if let plan = workspace.completePlan() {
      chosen = choose(from: plan, &workspace)
      if !chosen.isEmpty { workspace.dropWarnings(of: plan, outside: chosen) }
      for step in chosen {
        var configuration = RunConfiguration(
          environment: workspace.variables, workingDirectory: workspace.workingDirectory, files: workspace.files,
          redactor: workspace.redactor)
        configuration.secrets = workspace.secrets
        do throws(StepCommand.Failure) {
          commands.append(try StepCommand(of: step, in: plan, configuration, given: workspace.given))
        } catch {
          workspace.report(error.diagnostics)
        }
      }
    }
    workspace.showDiagnostics()
    guard !workspace.diagnostics.hasErrors else { throw ExitCode(2) }
    let names = chosen.count > 1
    var told: Set<String> = []
    for (step, command) in zip(chosen, commands) {
      try workspace.show((names ? "# \(step.step.id)\n" : "") + command.text + "\n")
      guard !output.quiet else { continue }
      for note in command.notes where told.insert(note).inserted { workspace.note("note: \(note)") }
    }
  }

  /// Returns the steps that the command line names. If the command line names no step, returns the only step of the plan; in this case, a
  /// plan with several steps is an error.
  private func choose(from plan: Plan, _ workspace: inout Workspace) -> [PlannedStep] {
    let names = workspace.namedSteps
    guard names.isEmpty else {
      return names.flatMap { name -> [PlannedStep] in
        let found = plan.steps(named: [name])
        if found.isEmpty { workspace.report(plan.unknownStep(named: name)) }
        return found.map { plan.steps[$0] }
      }
    }
    guard plan.steps.count != 1 else { return plan.steps }
    let known = plan.steps.prefix(8).map { "`\($0.step.id)`" }.joined(separator: ", ")
    workspace.report(
      Diagnostic("no-step-named", "expected one step, but the workflow has \(plan.steps.count) steps", at: nil)
        .help("name one of the steps: \(known)\(plan.steps.count > 8 ? " …" : "")"))
    return []
  }
}

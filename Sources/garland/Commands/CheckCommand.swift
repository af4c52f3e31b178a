import ArgumentParser

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Find what is wrong in workflows. Nothing is sent.",
    discussion: """
      Examples:
        garland check smoke.yaml
        garland check tests/ --strict
        garland check - < smoke.yaml
      """)

  @OptionGroup var paths: PathArguments
  @OptionGroup var values: ValueOptions
  @OptionGroup var output: OutputOptions
  @Flag(name: .long, help: "Make warnings errors.") var strict = false

  func run() throws {
    var workspace = Workspace(paths, values, output, environment: ProcessEnvironment.current)
    let plan = try workspace.plan()
    // `run --sandbox` sets it, so that it is missing nowhere.
    let environment = workspace.environment.merging(["GARLAND_SANDBOX": ""]) { own, _ in own }
    if let plan { workspace.report(plan.unsetValues(secrets: workspace.secrets, environment: environment)) }

    workspace.showDiagnostics()
    guard let plan, !(strict && !workspace.diagnostics.isEmpty) else { throw ExitCode(2) }
    if !output.quiet {
      let count = plan.steps.count
      let warnings = workspace.diagnostics.all.count
      let found = warnings == 0 ? "nothing is wrong" : "no errors, \(warnings) warning\(warnings == 1 ? "" : "s")"
      try workspace.terminal.remark("\(count) step\(count == 1 ? "" : "s") checked: \(found)\n")
    }
  }
}

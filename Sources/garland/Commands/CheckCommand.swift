import ArgumentParser
import FoundationEssentials

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Find what is wrong in workflows. Nothing is sent.")

  @OptionGroup var paths: PathArguments
  @OptionGroup var values: ValueOptions
  @OptionGroup var output: OutputOptions
  @Flag(name: .long, help: "Make warnings errors.") var strict = false

  func run() throws {
    var workspace = Workspace(paths, values, output, environment: ProcessInfo.processInfo.environment)
    let plan = workspace.plan()
    try workspace.showDiagnostics()
    guard let plan, !(strict && !workspace.diagnostics.isEmpty) else { throw ExitCode(2) }
    if !output.quiet {
      let count = plan.steps.count
      try workspace.show("\(count) step\(count == 1 ? "" : "s") checked: nothing is wrong\n")
    }
  }
}

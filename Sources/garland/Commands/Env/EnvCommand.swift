import ArgumentParser
import GarlandRunner
import Glibc

struct EnvCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "env",
    abstract: "Show the value and the source of each variable. Secrets are masked, and nothing is sent.",
    discussion: """
      Examples:
        garland env
        garland env tests/ --profile staging
        garland env smoke.yaml --var user=bob --format json
      """)

  @OptionGroup var paths: PathArguments
  @OptionGroup(title: "Values and secrets") var values: ValueOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @Option(name: .long, help: "The output format.") var format = ListingFormat.table

  func run() throws {
    var workspace = Workspace(paths, values, output, environment: ProcessEnvironment.current)
    let plan = workspace.completePlan()
    workspace.showDiagnosticsWithoutWarnings()
    guard let plan else { throw ExitCode(2) }
    var configuration = RunConfiguration(
      environment: workspace.variables, workingDirectory: workspace.workingDirectory, files: workspace.files, redactor: workspace.redactor)
    configuration.secrets = workspace.secrets
    let listing = ValueListing(plan, VariableListing(of: plan, configuration), workspace)
    switch format {
    case .table: try workspace.show(listing.table)
    case .json: try workspace.show(listing.json + "\n")
    }
  }
}

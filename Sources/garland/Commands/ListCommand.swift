import ArgumentParser
import GarlandRunner
import Glibc

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the steps with their methods, URLs, tags and descriptions. Nothing is sent.",
    discussion: """
      Examples:
        garland list smoke.yaml
        garland list tests/ --tag smoke --format json
        garland list tests/ --profile staging     the URLs in an environment
        garland list tests/ --profiles
      """)

  @OptionGroup var paths: PathArguments
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Values and secrets") var values: ValueOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @Option(name: .long, help: "The output format.") var format = ListingFormat.table

  @Flag(name: .long, help: "List the profiles of the documents and their project instead of the steps.") var profiles = false

  func run() throws {
    var workspace = Workspace(paths, values, output, environment: ProcessEnvironment.current)
    let plan = try workspace.plan(selection)
    workspace.showDiagnosticsWithoutWarnings()
    guard let plan else { return try workspace.explainEmptyPlan() }
    guard !profiles else { return try workspace.show(ProfileListing(workspace.library.knownProfiles).text(format)) }
    var configuration = RunConfiguration(
      environment: workspace.variables, workingDirectory: workspace.workingDirectory, files: workspace.files, redactor: workspace.redactor)
    configuration.secrets = workspace.secrets
    let listing = StepListing(plan, RequestListing(of: plan, configuration))
    switch format {
    case .table: try workspace.show(listing.table(width: workspace.terminal.facts(of: STDOUT_FILENO).width, workspace.redactor))
    case .json: try workspace.show(listing.json + "\n")
    }
  }
}

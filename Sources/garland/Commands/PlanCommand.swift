import ArgumentParser
import FoundationEssentials
import GarlandPlanner

extension DrawingFormat: ExpressibleByArgument {}

struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Show what waits for what, as text or as a drawing. Nothing is sent.")

  @OptionGroup var paths: PathArguments
  @OptionGroup var selection: SelectionOptions
  @OptionGroup var values: ValueOptions
  @OptionGroup var output: OutputOptions
  @Option(name: .long, help: "How to draw it.") var format = DrawingFormat.text

  func run() throws {
    var workspace = Workspace(paths, values, output, environment: ProcessInfo.processInfo.environment)
    let plan = workspace.plan(selection)
    try workspace.showDiagnostics()
    guard let plan else { throw ExitCode(2) }
    let drawing = plan.drawing(format)
    try workspace.show(drawing.hasSuffix("\n") ? drawing : drawing + "\n")
  }
}

import ArgumentParser
import GarlandDiagnostics
import GarlandExport

extension ExportTarget: ExpressibleByArgument {}

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write workflows as a script for Locust or k6, which send load from many machines. Nothing is sent.",
    discussion: """
      Examples:
        garland export shop.yaml --to locust --output locustfile.py
        garland export shop.yaml checkout --to k6 > checkout.js

      The script sends the same requests, with their extracted values, checks,
      credentials, delays and cleanups. It reads secrets and env.NAME from its
      environment. A part without a counterpart in the engine is an error.
      """)

  @OptionGroup var paths: PathArguments
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Values and secrets") var values: ValueOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @Option(name: .long, help: "The engine that runs the script.") var to: ExportTarget
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The file to write. Default: `-` (standard output), for a script in the working directory.", valueName: "file"),
    completion: .file())
  var file: String?

  func run() throws {
    var workspace = Workspace(paths, values, output, environment: ProcessEnvironment.current)
    var text: String?
    var inputs: [String] = []
    let file = file == "-" ? nil : file
    if let complete = workspace.completePlan(), workspace.requireSteps(of: complete, for: "export --to \(to.rawValue)"),
      let plan = try workspace.select(from: complete, selection)
    {
      let folder = file.map { Workspace.folder(of: workspace.absolute($0)) } ?? workspace.workingDirectory
      let script = WorkflowExport.script(
        of: plan, for: to, in: workspace.files.files.resolve(folder) ?? folder, program: "garland \(GarlandVersion.text)")
      workspace.report(script.diagnostics)
      inputs = workspace.inputs(of: complete)
      text = script.text
    }
    workspace.showDiagnosticsWithoutWarnings()
    guard let text else { throw ExitCode(2) }
    guard let file else { return try workspace.show(text) }
    try OutputTargets.refuseFolder(file)
    if let reason = OutputTargets.obstacle(to: workspace.absolute(file), inputs: inputs) {
      throw CommandFailure.usage("the script would replace `\(file)`, \(reason): name another file")
    }
    do throws(WholeFile.Failure) {
      try WholeFile.write(Array(text.utf8), to: workspace.absolute(file), makingFolders: true)
    } catch {
      throw CommandFailure.local("the file `\(file)` can't be written: \(error)")
    }
  }
}

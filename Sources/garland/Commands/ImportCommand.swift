import ArgumentParser
import GarlandDiagnostics
import GarlandImport
import GarlandWorkflow
import Glibc

/// The formats of files to import, by their names on the command line.
enum ImportFormat: String, ExpressibleByArgument, CaseIterable {
  case curl, har, postman
}

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Convert curl commands, a browser's recording (HAR) or a Postman collection into a workflow.",
    discussion: """
      Examples:
        garland import shop.postman_collection.json --output shop.yaml
        garland import recording.har > recording.yaml
        pbpaste | garland import -           a curl command of a browser
        garland import requests.sh --strict  fail if a part is left out

      Several files become one workflow. Credentials become secrets: their values are not written.
      Unsupported features are skipped with a warning on standard error.

      Then: garland check shop.yaml, and garland run shop.yaml
      """)

  @Argument(help: ArgumentHelp("The files; `-` is standard input.", valueName: "file"), completion: .file())
  var paths: [String]

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Where to write the workflow. Default: standard output.", valueName: "file"),
    completion: .file(extensions: ["yaml", "yml"]))
  var target: String?

  @Option(name: .long, help: ArgumentHelp("The format of the files. Default: detected from their content.", valueName: "format"))
  var format: ImportFormat?

  @Flag(name: .long, help: "Replace the output file if it exists.") var force = false
  @Flag(name: .long, help: "Treat warnings as errors: write nothing if a part has to be left out.") var strict = false

  @Option(
    name: .customLong("color"),
    help: ArgumentHelp("When to use colours. `auto`: on a terminal, unless NO_COLOR is set.", valueName: "when"))
  var color: ColorChoice = .auto

  /// The maximum size of an imported file in bytes.
  private static let limit = 256 << 20

  func validate() throws {
    if force && target == nil { throw ValidationError("--force needs --output.") }
  }

  func run() throws {
    let terminal = Terminal(color, environment: ProcessEnvironment.current)
    let files = try paths.map { path throws(CommandFailure) in
      do throws(WorkflowFileError) {
        return SourceFile(
          name: path, bytes: path == "-" ? try StandardInput.read(limit: Self.limit) : try SystemFiles().read(path, limit: Self.limit))
      } catch {
        throw CommandFailure.unreadable(path, error)
      }
    }
    let result = Importer.workflow(
      from: files, format: format.flatMap { Importer.Format(rawValue: $0.rawValue) },
      reading: { try? SystemFiles().read($0, limit: Self.limit) })
    for credential in result.credentials { terminal.redactor.register(credential) }
    terminal.show(result.diagnostics)
    guard let text = result.text, !(strict && !result.diagnostics.isEmpty) else { throw ExitCode(2) }
    guard let target, target != "-" else {
      try CommandOutput.writeAll(Array(text.utf8), to: STDOUT_FILENO)
      return
    }
    try OutputTargets.refuseFolder(target)
    do {
      try WholeFile.write(Array(text.utf8), to: target, replacing: force, makingFolders: true)
    } catch .exists {
      throw CommandFailure.usage("the file `\(target)` exists already; --force replaces it")
    } catch {
      throw CommandFailure.local("cannot write \(target): \(error)")
    }
    let left = result.diagnostics.all.count
    let steps = "\(result.stepCount) step\(result.stepCount == 1 ? "" : "s")"
    let warnings = left == 0 ? "" : ", \(left) warning\(left == 1 ? "" : "s")"
    try terminal.remark("Wrote \(target): \(steps)\(warnings). Try it: garland check \(target)\n")
  }
}

import ArgumentParser
import GarlandDiagnostics
import Glibc

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a commented starter workflow.",
    discussion: """
      Examples:
        garland init                  writes garland.yaml
        garland init smoke.yaml
        garland init -                writes to standard output
      """)

  @Argument(help: ArgumentHelp("Where to write it; `-` is standard output.", valueName: "file"), completion: .file())
  var path = "garland.yaml"

  @Flag(name: .long, help: "Replace the file if there is one.")
  var force = false

  func run() throws {
    let bytes = Array(StarterWorkflow.text.utf8)
    if path == "-" {
      try CommandOutput.writeAll(bytes, to: STDOUT_FILENO)
      return
    }
    do {
      try WholeFile.write(bytes, to: path, replacing: force)
    } catch .exists {
      throw CommandFailure.usage("\(path) exists already; --force replaces it")
    } catch {
      throw CommandFailure.local("cannot write \(path): \(error)")
    }
    try Terminal(.never, environment: [:]).remark("Wrote \(path). Try it: garland run \(path) --sandbox\n")
  }
}

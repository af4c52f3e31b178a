import ArgumentParser
import GarlandDiagnostics
import Glibc

struct Garland: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "garland",
    abstract: "Make, for HTTP: name the request you want; what it depends on runs first, everything else at the same time.",
    usage: """
      garland run PATH… [STEP…]
      garland check PATH…
      """,
    discussion: """
      Examples:
        garland init                          write a commented starter file
        garland run garland.yaml --sandbox    try it on the embedded server
        garland run garland.yaml login        one step and what it needs
        garland run tests/ --report junit=report.xml
        garland plan garland.yaml             show what waits for what

      Exit status:
        0    everything passed
        1    an expectation failed, or a value was undefined or refused
        2    the command line or a document is wrong; nothing was sent
        3    a host could not be reached
        4    a request failed in transit, or a file could not be used
        130  interrupted by Ctrl-C; 143 by SIGTERM
      """,
    version: GarlandVersion.text,
    subcommands: [
      RunCommand.self, CheckCommand.self, PlanCommand.self, ListCommand.self, CurlCommand.self, ReachCommand.self, SchemaCommand.self,
      SandboxCommand.self,
      InitCommand.self,
    ]
  )
}

@main
enum Main {
  static func main() async {
    do {
      try refuseUnknownCommand(CommandLine.arguments.dropFirst().first)
      var command = try Garland.parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch let failure as CommandFailure {
      // When even this can't be written there is nobody left to tell; the status still says it.
      try? CommandOutput.writeAll(Array("error: \(failure.message)\n".utf8), to: STDERR_FILENO)
      Glibc.exit(failure.status)
    } catch {
      guard Garland.exitCode(for: error) == .validationFailure else { Garland.exit(withError: error) }
      try? CommandOutput.writeAll(Array((Garland.fullMessage(for: error) + "\n").utf8), to: STDERR_FILENO)
      // The language page fixes 2 for a wrong command line, where the argument parser would say 64.
      Glibc.exit(2)
    }
  }

  /// The argument parser would only say that there are arguments too many.
  private static func refuseUnknownCommand(_ name: String?) throws(CommandFailure) {
    guard let name, !name.hasPrefix("-") else { return }
    let commands = Garland.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard !commands.contains(name) else { return }
    if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
      throw .usage("there is no command `\(name)`: did you mean `garland run \(name)`?")
    }
    let near = Suggestion.nearest(to: name, in: commands)
    throw .usage("there is no command `\(name)`: \(near.map { "did you mean `\($0)`?" } ?? "`garland --help` lists them")")
  }
}

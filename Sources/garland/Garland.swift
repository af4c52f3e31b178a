import ArgumentParser
import GarlandDiagnostics
import Glibc
import Synchronization

struct GarlandCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "garland",
    abstract: "Make, for HTTP: name a request, and its dependencies run first. Independent requests run at the same time.",
    usage: """
      garland run PATH… [STEP…]
      garland check PATH…
      """,
    discussion: """
      Examples:
        garland init                          write a small project
        garland run --sandbox                 try it on the embedded server
        garland run login                     one step and its dependencies
        garland run tests/ --report junit=report.xml
        garland plan                          show the dependencies of steps

      Exit status:
        0    everything passed
        1    an expectation failed, or a value was undefined or refused
        2    the command line or a document is wrong; nothing was sent
        3    a host could not be reached
        4    a request failed in transit, or a file could not be used
        130  interrupted by Ctrl-C; 143: SIGTERM, 129: SIGHUP, 152: SIGXCPU
      """,
    version: GarlandVersion.text,
    subcommands: [
      RunCommand.self, SendCommand.self, CheckCommand.self, PlanCommand.self, ListCommand.self, EnvCommand.self, CurlCommand.self,
      ExportCommand.self,
      ReachCommand.self,
      SchemaCommand.self,
      AuthCommand.self, SandboxCommand.self, InitCommand.self, ImportCommand.self, ReportCommand.self, CompletionsCommand.self,
      HelpCommand.self,
    ]
  )
}

@main
enum Main {
  static func main() {
    StandardStreams.openClosed()
    FileDescriptorSink.ignoreBrokenPipes()
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      leave(with: error)
    }
    leave(0)
  }

  /// Returns the command that the arguments select, with its options.
  ///
  /// A command without subcommands parses its own arguments. `GarlandCommand` would first build a tree of all commands, which takes longer
  /// than sending a request. So `GarlandCommand` parses only these arguments:
  /// - the arguments of a command with subcommands;
  /// - invalid arguments and requests for help, since the tree provides the full name of the command for the messages.
  private static func parse(_ words: [String]) throws -> sending any ParsableCommand {
    try refuseUnknownCommand(words.first)
    let words = words.first == CheckCommand.configuration.commandName ? FixMode.spellingOut(words) : words
    let named = GarlandCommand.configuration.subcommands.first { $0.configuration.commandName == words.first }
    if let named, named.configuration.subcommands.isEmpty {
      // For a request for help, the parser returns another command, which prints the help.
      if let command = try? named.parseAsRoot(Array(words.dropFirst())), type(of: command) == named { return command }
    }
    return try GarlandCommand.parseAsRoot(words)
  }

  private static func run(_ words: [String]) throws {
    if words.count == 2, words.contains("--version"), words.contains(where: { $0 == "--verbose" || $0 == "-v" }) {
      return try CommandOutput.writeAll(Array((GarlandVersion.verboseText + "\n").utf8), to: STDOUT_FILENO)
    }
    var command = try parse(words)
    if let general = command as? any CommandAboutCommands { return try general.run(root: GarlandCommand.self) }
    guard let asynchronous = command as? any AsyncParsableCommand else { return try command.run() }
    try wait {
      var asynchronous = asynchronous
      try await asynchronous.run()
    }
  }

  /// Executes `work` on the main thread, and waits for its end. On the main queue of libdispatch, the same work would need two further
  /// threads.
  private static func wait(for work: sending @escaping () async throws -> Void) throws {
    try DescriptorLimit.raise()
    try ThreadSupply.check()
    let failure = Mutex<(any Error)?>(nil)
    Task(executorPreference: MainLoop.shared) {
      do {
        await DescriptorLimit.provideForTasks()
        try await work()
      } catch {
        failure.withLock { $0 = error }
      }
      MainLoop.shared.stop()
    }
    MainLoop.shared.run()
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// Shows an error with its secrets masked, and ends the process. Secrets are known as soon as the command has read its documents.
  private static func leave(with error: any Error) -> Never {
    if let failure = error as? CommandFailure {
      // If the message can't be written, only the exit status shows the failure.
      try? CommandOutput.writeAll(Array(Terminal.redactor.redact("error: \(failure.message)\n").utf8), to: STDERR_FILENO)
      leave(failure.status)
    }
    if let code = error as? ExitCode { leave(code.rawValue) }
    let status = GarlandCommand.exitCode(for: error)
    let text = Array(Terminal.redactor.redact(fullMessage(for: error) + "\n").utf8)
    if status == .success {
      // The message is the requested help or a completion script.
      do throws(CommandFailure) {
        try CommandOutput.writeAll(text, to: STDOUT_FILENO)
      } catch {
        leave(with: error)
      }
      leave(0)
    }
    try? CommandOutput.writeAll(text, to: STDERR_FILENO)
    // The language page defines 2 as the exit status for a wrong command line; the argument parser would use 64.
    leave(status == .validationFailure ? 2 : status.rawValue)
  }

  /// Returns the text of an error of the argument parser, or the requested help.
  private static func fullMessage(for error: any Error) -> String {
    let full = GarlandCommand.fullMessage(for: error)
    let message = GarlandCommand.message(for: error)
    if let explanation = ShardChoice.explanation(of: message) ?? RateArgument.explanation(of: message) {
      return full.replacing(message, with: "\(message): \(explanation)", maxReplacements: 1)
    }
    if let suggestion = DurationArgument.suggestion(for: message) {
      return full.replacing(message, with: "\(message): \(suggestion)", maxReplacements: 1)
    }
    if let advice = DashedValue.advice(for: message, words: CommandLine.arguments.dropFirst()) {
      return full.replacing(message, with: "\(message): \(advice)", maxReplacements: 1)
    }
    guard let option = UnknownOption(message, words: CommandLine.arguments.dropFirst(), root: GarlandCommand.self) else { return full }
    return full.replacing(message, with: option.message, maxReplacements: 1)
  }

  /// Ends the process without running exit handlers. The kernel frees memory faster than the exit handlers of libraries (such as OpenSSL,
  /// which frees its tables).
  private static func leave(_ status: Int32) -> Never {
    fflush(nil)
    _exit(status)
  }

  /// Throws an error for an unknown command. The argument parser would only report too many arguments.
  private static func refuseUnknownCommand(_ name: String?) throws(CommandFailure) {
    guard let name, !name.hasPrefix("-") else { return }
    let commands = GarlandCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    guard !commands.contains(name) else { return }
    if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
      throw .usage("there is no command `\(name)`: did you mean `garland run \(name)`?")
    }
    let near = Suggestion.nearest(to: name, in: commands)
    throw .usage("there is no command `\(name)`: \(near.map { "did you mean `\($0)`?" } ?? "`garland --help` lists the commands")")
  }
}

import ArgumentParser
import Glibc

/// A command whose output describes all commands. The root command calls ``run(root:)``.
protocol CommandAboutCommands: ParsableCommand {
  func run(root: any ParsableCommand.Type) throws
}

struct CompletionsCommand: CommandAboutCommands {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Print the completion script of a shell.",
    discussion: """
      Examples:
        garland completions bash > ~/.local/share/bash-completion/completions/garland
        garland completions zsh > ~/.zfunc/_garland
        garland completions fish > ~/.config/fish/completions/garland.fish

      `make install` and the packages put the scripts in place.
      """)

  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish

    fileprivate var completionShell: CompletionShell {
      switch self {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    }
  }

  @Argument(help: "The shell.")
  var shell: Shell

  func run(root: any ParsableCommand.Type) throws {
    let script = root.completionScript(for: shell.completionShell) + "\n"
    try CommandOutput.writeAll(Array(script.utf8), to: STDOUT_FILENO)
  }
}

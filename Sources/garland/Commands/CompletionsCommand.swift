import ArgumentParser
import Glibc

/// A command whose output is about all commands of the program, such as `garland help`. The program passes its root command to
/// ``run(root:)``.
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
    let script = Self.joiningEquals(Self.withoutSecondHelp(root.completionScript(for: shell.completionShell))) + "\n"
    try CommandOutput.writeAll(Array(script.utf8), to: STDOUT_FILENO)
  }

  /// Changes a bash completion script so that it also completes the value after `--option=`. bash passes the `=` as a separate word, so the
  /// word before the value is `=` and not the option.
  private static func joiningEquals(_ script: String) -> String {
    script.replacing(
      """
          local -r cur="${2}"
          local -r prev="${3}"

      """,
      with: """
            local cur="${2}"
            local prev="${3}"
            if [[ "${COMP_WORDS[COMP_CWORD]}" = '=' ]]; then
                cur=''
            elif [[ "${prev}" = '=' && "${COMP_CWORD}" -ge 2 ]]; then
                prev="${COMP_WORDS[COMP_CWORD-2]}"
            fi

        """)
  }

  /// Removes the argument parser's command `help` from a completion script, since Garland has its own command `help`.
  ///
  /// A script for bash or zsh has one shell function for each command `help`, and both functions have the same name. So the parser's
  /// function would replace the function that completes the topics of Garland's command.
  private static func withoutSecondHelp(_ script: String) -> String {
    let lines = script.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.contains("Show subcommand help information.") }
    let text = lines.joined(separator: "\n").replacing("|help|help)", with: "|help)").replacing(" help help'", with: " help'")
    let start = "_garland_help() {\n"
    guard text.ranges(of: start).count > 1, let second = text.ranges(of: start).last,
      let end = text[second.upperBound...].firstRange(of: "\n}\n")
    else { return text }
    return String(text[..<second.lowerBound] + text[end.upperBound...])
  }
}

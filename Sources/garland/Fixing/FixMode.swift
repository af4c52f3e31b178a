import ArgumentParser

/// The choice of the fixes that `check --fix` applies.
enum FixMode: String, ExpressibleByArgument, CaseIterable {
  /// Applies all fixes except those that require a choice or a further change by the user.
  case all
  /// Applies the fixes that the user chooses on the terminal.
  case ask

  private static let option = "--fix"

  /// Returns the words of a command line with `--fix=all` in place of `--fix`. Otherwise, the argument parser would take a path after
  /// `--fix` as the value of the option.
  static func spellingOut(_ words: [String]) -> [String] {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    return words[..<end].map { $0 == option ? "\(option)=\(all.rawValue)" : $0 } + words[end...]
  }
}

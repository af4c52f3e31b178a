import ArgumentParser

/// Which fixes `check --fix` makes.
enum FixMode: String, ExpressibleByArgument, CaseIterable {
  /// Those that are right as they stand.
  case all
  /// Those that somebody at the terminal wants.
  case ask

  private static let option = "--fix"

  /// The words of a command line with `--fix=all` for `--fix`, which would take a path behind it for its value.
  static func spellingOut(_ words: [String]) -> [String] {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    return words[..<end].map { $0 == option ? "\(option)=\(all.rawValue)" : $0 } + words[end...]
  }
}

import ArgumentParser

/// The fixes that `check --fix` makes.
enum FixMode: String, ExpressibleByArgument, CaseIterable {
  /// The fixes that are right without further changes.
  case all
  /// The fixes that the user at the terminal chooses.
  case ask

  private static let option = "--fix"

  /// Returns the words of a command line with `--fix=all` in place of `--fix`, which would read a
  /// path after it as its value.
  static func spellingOut(_ words: [String]) -> [String] {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    return words[..<end].map { $0 == option ? "\(option)=\(all.rawValue)" : $0 } + words[end...]
  }
}

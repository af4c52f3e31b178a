import GarlandDiagnostics
import Glibc

/// Asks on a terminal which fixes to apply, one diagnostic after the other.
struct FixDialogue {
  private enum Answer {
    case make(ProposedFix), decline, makeAll, quit
  }

  private let terminal: Terminal
  private var declined: Set<String> = []

  /// Creates a dialogue. Returns nil without a terminal on which the user can answer.
  init?(_ terminal: Terminal) {
    guard isatty(STDIN_FILENO) != 0, isatty(STDERR_FILENO) != 0 else { return nil }
    self.terminal = terminal
  }

  /// Asks the user about every diagnostic that has a fix, and applies the fixes that the user chooses.
  mutating func carryOut(_ fixer: inout Fixer) throws {
    var found = try fixer.examine()
    while let (diagnostic, name, fixes) = next(in: found, fixer) {
      terminal.show(diagnostic)
      switch ask(fixes) {
      case .quit: return
      case .makeAll: return try fixer.fixAll { [declined] found in Self.names(of: found).map(declined.contains) }
      case .decline: declined.insert(name)
      case .make(let fix):
        if let after = try fixer.make(fix, found) {
          found = after
        } else {
          declined.insert(name)
          terminal.note("\("warning", .warning): this fix would cause another mistake, so it was not made\n")
        }
      }
      terminal.note("\n")
    }
  }

  private func next(in found: [Diagnostic], _ fixer: Fixer) -> (Diagnostic, String, [ProposedFix])? {
    let sorted = DiagnosticRenderer.sorted(found)
    for (diagnostic, name) in zip(sorted, Self.names(of: sorted)) where !declined.contains(name) {
      let fixes = ProposedFix.all(of: diagnostic) { fixer.path(of: $0) }
      if !fixes.isEmpty { return (diagnostic, name, fixes) }
    }
    return nil
  }

  /// Returns an identifier for each diagnostic, which stays the same when the diagnostic moves to another line. It consists of the
  /// diagnostic's text, and a number that distinguishes diagnostics with the same text.
  private static func names(of diagnostics: [Diagnostic]) -> [String] {
    var uses: [String: Int] = [:]
    return diagnostics.map { diagnostic in
      let words =
        "\(diagnostic.range?.file.name ?? "")\u{0}\(diagnostic.code)\u{0}\(diagnostic.message)\u{0}\(diagnostic.range?.text ?? "")"
      uses[words, default: 0] += 1
      return "\(words)\u{0}\(uses[words, default: 0])"
    }
  }

  private func ask(_ fixes: [ProposedFix]) -> Answer {
    let numbers = fixes.count == 1 ? "[y]es" : fixes.indices.map { "[\($0 + 1)]" }.joined(separator: ", ")
    if fixes.count > 1 {
      for (index, fix) in fixes.enumerated() { terminal.note("  \("\(index + 1)", .key)  \(DisplayText.visible(fix.message))\n") }
    }
    while true {
      terminal.note("\(fixes.count == 1 ? "Make this fix?" : "Make which fix?", .emphasis) \(numbers), [n]o, [a]ll, [q]uit: ")
      guard let line = readLine() else { return .quit }
      let answer = line.drop { $0 == " " }.lowercased()
      switch answer {
      case "y", "yes": if fixes.count == 1 { return .make(fixes[0]) }
      case "n", "no": return .decline
      case "a", "all": return .makeAll
      case "q", "quit": return .quit
      default: if let number = Int(answer), fixes.indices.contains(number - 1) { return .make(fixes[number - 1]) }
      }
      let yes = fixes.count == 1 ? "y makes this fix" : "a number makes that fix"
      terminal.note("\(yes), n leaves the text as it is, a makes all fixes that need no choice, q ends the questions\n")
    }
  }
}

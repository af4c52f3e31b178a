/// The outcome of a step in an earlier run, for drawings.
public enum StepOutcome: String, Sendable, Hashable, CaseIterable {
  case passed, failed, error, unreachable, skipped, blocked
  case notRun = "not run"
  /// A failure that does not count, because of `allow_failure` or a quarantine.
  case allowed = "failed, allowed"

  /// The outcome as a word for people.
  public var word: String { rawValue }
  /// The name of the outcome in a style sheet.
  var name: String {
    switch self {
    case .notRun: "not-run"
    case .allowed: "allowed"
    default: rawValue
    }
  }
  /// The symbol that Garland's console shows for the outcome.
  var sign: String {
    switch self {
    case .passed: "✓"
    case .failed, .allowed: "✗"
    case .error: "!"
    case .unreachable: "?"
    case .skipped: "○"
    case .blocked: "⊘"
    case .notRun: "·"
    }
  }
}

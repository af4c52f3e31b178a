/// The outcome of a step in an earlier run, for drawings.
public enum StepOutcome: String, Sendable, Hashable, CaseIterable {
  case passed, failed, error, unreachable, skipped, blocked
  case notRun = "not run"

  /// The outcome as a word for people.
  public var word: String { rawValue }
  /// The name of the outcome in a style sheet.
  var name: String { self == .notRun ? "not-run" : rawValue }
  /// The symbol that Garland's console shows for the outcome.
  var sign: String {
    switch self {
    case .passed: "✓"
    case .failed: "✗"
    case .error: "!"
    case .unreachable: "?"
    case .skipped: "○"
    case .blocked: "⊘"
    case .notRun: "·"
    }
  }
}

/// The outcome of a step in an earlier run, for drawings.
public enum StepOutcome: String, Sendable, Hashable, CaseIterable {
  case passed
  /// The step passed after it had failed in the same run (`--rerun-failed`).
  case flaky
  case failed, error, unreachable, skipped, blocked
  case notRun = "not run"
  /// The step failed, but its failure does not count, because of `allow_failure` or a quarantine.
  case allowed = "failed, allowed"

  /// The outcome as a word for readers, such as "failed, allowed".
  public var word: String { rawValue }
  /// The name of the outcome as a class in the style sheet of a drawing.
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
    case .flaky: "↻"
    case .failed, .allowed: "✗"
    case .error: "!"
    case .unreachable: "?"
    case .skipped: "○"
    case .blocked: "⊘"
    case .notRun: "·"
    }
  }
}

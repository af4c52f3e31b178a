/// The outcome of a step in an earlier run, which a drawing of the plan shows by colour.
public enum StepOutcome: String, Sendable, Hashable, CaseIterable {
  case passed
  /// The step failed, and then passed when it was run again in the same run (`--rerun-failed`).
  case flaky
  case failed, error, unreachable, skipped, blocked
  case notRun = "not run"
  /// The step failed, but its failure does not count, because of `allow_failure` or a quarantine.
  case allowed = "failed, allowed"

  /// The outcome in words for a reader, such as "failed, allowed".
  var word: String { rawValue }
  /// The CSS class of steps with this outcome in an SVG drawing.
  var name: String {
    switch self {
    case .notRun: "not-run"
    case .allowed: "allowed"
    default: rawValue
    }
  }
  /// The symbol for the outcome, the same as in Garland's console output.
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

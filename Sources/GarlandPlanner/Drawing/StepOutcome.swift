/// How a step ended in an earlier run, for drawings.
public enum StepOutcome: String, Sendable, Hashable, CaseIterable {
  case passed, failed, error, unreachable, skipped, blocked
  case notRun = "not run"

  /// As people read it.
  public var word: String { rawValue }
  /// As a style sheet names it.
  var name: String { self == .notRun ? "not-run" : rawValue }
  /// The sign that Garland's console shows.
  var sign: String {
    switch self {
    case .passed: "✓"
    case .failed, .error, .unreachable: "✗"
    case .skipped: "○"
    case .blocked: "⊘"
    case .notRun: "·"
    }
  }
}

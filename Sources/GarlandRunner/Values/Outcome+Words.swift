import GarlandResults

extension Outcome {
  /// Returns the words that describe a step's outcome in a sentence whose subject is the step, for example `could not reach its host`.
  /// For a step that has not ended, `outcome` is nil.
  static func words(for outcome: Outcome?) -> String {
    switch outcome {
    case .passed?: "passed"
    case .failed?: "failed"
    case .error?: "ended with an error"
    case .unreachable?: "could not reach its host"
    case .skipped?: "was skipped"
    case .blocked?: "was blocked"
    case .notRun?: "was not run"
    case nil: "has not ended"
    }
  }
}

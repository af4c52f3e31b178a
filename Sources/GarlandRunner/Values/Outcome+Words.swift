import GarlandResults

extension Outcome {
  /// Returns the outcome as half a sentence about a step. For a step that has not ended, `outcome` is nil.
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

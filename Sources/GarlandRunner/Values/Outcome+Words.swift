import GarlandResults

extension Outcome {
  /// Returns half a sentence about a step with this outcome; nil: it has not ended.
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

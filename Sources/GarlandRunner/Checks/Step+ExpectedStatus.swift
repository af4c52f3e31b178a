import GarlandWorkflow

extension Step {
  /// Whether an expectation names a status, so that a response with it is no reason to send again.
  func expects(status: Int, in context: any EvaluationContext) -> Bool {
    expectations.contains { expectation in
      guard case .status(let patterns) = expectation.check else { return false }
      return patterns.contains { (try? $0.resolve(in: context))?.matches(status) ?? false }
    }
  }
}

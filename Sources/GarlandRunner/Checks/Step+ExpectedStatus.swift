import GarlandJSON
import GarlandWorkflow

extension Step {
  /// Returns whether the step expects the given status. If a response has an expected status, the request is not retried, and a redirect is
  /// not followed.
  func expects(status: Int, in context: some EvaluationContext) -> Bool {
    judged.contains { expectation in
      switch expectation.check {
      case .status(let patterns): patterns.contains { (try? $0.resolve(in: context))?.matches(status) ?? false }
      case .statusPredicates(let predicates): PredicateJudge(context: context, target: .number).holds(predicates, for: JSONValue(status))
      default: false
      }
    }
  }
}

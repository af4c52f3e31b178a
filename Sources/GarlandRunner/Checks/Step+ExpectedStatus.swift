import GarlandJSON
import GarlandWorkflow

extension Step {
  /// Returns whether the step expects the given status. A response with an expected status is neither retried nor followed as a redirect.
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

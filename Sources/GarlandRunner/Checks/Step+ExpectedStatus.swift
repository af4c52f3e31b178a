import GarlandJSON
import GarlandWorkflow

extension Step {
  /// Whether an expectation of the status admits this one, so that a response with it is no reason to send again, or to go elsewhere.
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

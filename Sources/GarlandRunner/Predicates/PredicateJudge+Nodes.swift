import GarlandJSON
import GarlandWorkflow

/// Checks predicates on the nodes that an XPath selects.
extension PredicateJudge {
  /// Checks a predicate on the nodes that an XPath selects. Predicates about lists check the list of the nodes' texts. All other predicates
  /// require exactly one node and check its text.
  func judgeNodes(_ predicate: Predicate, _ value: JSONValue?) throws(EvaluationError) -> [Mismatch] {
    let texts = value?.arrayValue ?? []
    if texts.isEmpty { return try judgeNothing(predicate) }
    let judge = PredicateJudge(context: context, target: .text)
    switch predicate.kind {
    case .not(let inner): return not(inner, value, predicate)
    case .each, .any, .none, .length, .empty, .subset, .schema: return try judge.judge(predicate, .array(texts))
    case .exists: return try judge.judge(predicate, texts.isEmpty ? nil : texts.count == 1 ? texts[0] : .array(texts))
    case .eq(let template), .ne(let template):
      if case .array = try template.evaluate(in: context).json { return try judge.judge(predicate, .array(texts)) }
    default: break
    }
    guard texts.count > 1 else { return try judge.judge(predicate, texts.first) }
    var mismatch = unfit(
      "selects \(texts.count) nodes, but `\(predicate.name)` checks only one", predicate, .array(texts))
    mismatch.help = "write `each: …` if all nodes must match, `any: …` if one node must match, or an XPath that selects one node"
    return [mismatch]
  }
}

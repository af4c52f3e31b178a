import GarlandJSON
import GarlandWorkflow

/// Checks predicates on an empty selection.
///
/// For an empty selection, nearly every predicate would hold, and so would its opposite: `ne`, `not` and `schema` would pass even for a
/// misspelt path. Therefore only predicates that require absence hold: `exists: false`, `empty: true`, `eq: []`, and a `length` that allows
/// 0.
extension PredicateJudge {
  func judgeNothing(_ predicate: Predicate, isNegated: Bool = false) throws(EvaluationError) -> [Mismatch] {
    let judge = PredicateJudge(context: context, target: target == .nodes ? .text : target)
    switch predicate.kind {
    case .exists: return try judge.judge(predicate, nil)
    case .empty: return try judge.judge(predicate, .array([]))
    case .each, .any, .none: return try judge.judge(predicate, .array([]))
    case .eq(let template):
      guard !isNegated, case .array = try template.evaluate(in: context).json else { return [undefined(predicate)] }
      return try judge.judge(predicate, .array([]))
    case .length(let inner):
      guard !isNegated, !inner.contains(where: \.isNegative) else { return [unsaid(predicate)] }
      return try judge.judge(predicate, .array([]))
    case .not(let inner):
      var found: [Mismatch] = []
      for predicate in inner { found += try judgeNothing(predicate, isNegated: true) }
      let unfit = found.filter(\.isUnfit)
      if !unfit.isEmpty { return unfit.map(\.negated) }
      return found.isEmpty ? [opposite(inner, .array([]), predicate)] : []
    case .ne, .in, .contains, .startsWith, .endsWith, .matches, .type, .subset, .schema, .gt, .gte, .lt, .lte, .json, .date:
      return [unsaid(predicate)]
    }
  }

  /// Returns a description of the value that a predicate expects, such as `at least 1`. A failure shows this description if there is no
  /// actual value to show. Returns nil if the argument of the predicate is not constant, or if the predicate has no such description, as
  /// with `matches`.
  func expectation(_ predicate: Predicate) -> String? {
    let (words, template): (String, ValueTemplate)
    switch predicate.kind {
    case .eq(let argument): (words, template) = ("", argument)
    case .ne(let argument): (words, template) = ("not ", argument)
    case .gt(let argument): (words, template) = ("more than ", argument)
    case .gte(let argument): (words, template) = ("at least ", argument)
    case .lt(let argument): (words, template) = ("less than ", argument)
    case .lte(let argument): (words, template) = ("at most ", argument)
    case .in(let argument): (words, template) = ("one of ", argument)
    case .contains(let argument): (words, template) = ("contains ", argument)
    case .startsWith(let argument): (words, template) = ("starts with ", argument)
    case .endsWith(let argument): (words, template) = ("ends with ", argument)
    default: return nil
    }
    return template.constant.map { words + (target.hasUnit ? predicate.range.text : line($0)) }
  }

  private func unsaid(_ predicate: Predicate) -> Mismatch {
    var mismatch = Mismatch(
      "selects nothing", at: predicate.keyRange, help: target == .nodes ? nil : "if no match is right, write `length: 0`")
    mismatch.isUnfit = true
    return mismatch
  }
}

extension Predicate {
  /// Whether the predicate is `ne` or `not`.
  fileprivate var isNegative: Bool {
    switch kind {
    case .ne, .not: true
    default: false
    }
  }
}

import GarlandJSON
import GarlandResults
import GarlandWorkflow

/// Checks `expect.xpath`: the texts that XPaths select in an XML or HTML body.
extension ExpectationJudge {
  mutating func judgeXPath(_ path: XPath, _ predicates: [Predicate], _ expectation: Expectation) {
    let subject = "xpath \(path.text)"
    do throws(ResponseDataError) {
      let markup = try response.markup()
      switch try markup.select(path) {
      case .value(let value):
        let target: Target = path.result == .number ? .number : .text
        for mismatch in PredicateJudge(context: context, target: target).mismatches(predicates, of: value) {
          var failure = failure(mismatch, subject, expectation, excerpt: nil)
          if value == nil, mismatch.message == Mismatch.missing { failure.message = "is not a number" }
          failures.append(failure)
        }
      case .texts(let texts):
        let value = JSONValue.array(texts.map { .string($0) })
        let found = PredicateJudge(context: context, target: .nodes).mismatches(predicates, of: value)
        guard !found.isEmpty else { return }
        let advice = texts.isEmpty ? markup.advice(for: path) : nil
        let excerpt = texts.count > 1 ? Excerpt.of(value) : statusIsWrong || texts.count == 1 ? nil : Excerpt.beginning(of: response)
        for mismatch in found {
          var failure = failure(mismatch, subject, expectation, excerpt: excerpt)
          if texts.isEmpty, !mismatch.isValueError {
            failure.message = "selects nothing"
            failure.actual = nil
            failure.help = [advice, mismatch.help].compactMap(\.self).joined(separator: "; ")
            if failure.help == "" { failure.help = nil }
          }
          failures.append(failure)
        }
      }
    } catch {
      var failure = CheckFailure(error, subject: subject, at: expectation.keyRange)
      if !statusIsWrong { failure.excerpt = Excerpt.beginning(of: response) }
      failures.append(failure)
    }
  }
}

import GarlandDiagnostics
import GarlandJSON
import GarlandNetworking
import GarlandResults
import GarlandWorkflow

/// Where the page after a response is.
enum NextPage {
  /// The URL as the response gives it, nil if it is the last page.
  static func url(
    after response: some ResponseView, _ pagination: Pagination, in context: any EvaluationContext
  ) throws(EvaluationError) -> String? {
    let found: String?
    switch pagination.next {
    case .link: found = LinkHeader.target(of: "next", in: response.headers(named: "link"))
    case .expression(let template):
      do throws(EvaluationError) {
        let value = try template.evaluate(in: context).json
        switch value {
        case .null: found = nil
        case .string(let text): found = text.isEmpty ? nil : text
        default:
          throw EvaluationError(
            Diagnostic(.wrongType, "expected the URL of the next page, found \(Shown.found(value))", at: template.range))
        }
      } catch {
        guard error.isUndefined else { throw error }
        found = nil
      }
    }
    guard let found else { return nil }
    if let condition = pagination.condition, try !condition.resolve(in: context) { return nil }
    return found
  }

  /// The absolute URL of the next page, which must be at the same origin: what a response names must not be sent the credentials of this step.
  static func resolve(_ next: String, on page: String, _ pagination: Pagination) -> Result<String, CheckFailure> {
    func failure(_ message: String) -> Result<String, CheckFailure> {
      var failure = CheckFailure(.value, subject: "paginate", message: message, at: pagination.range)
      failure.actual = next
      return .failure(failure)
    }
    guard let base = try? URLReference(page), let reference = try? URLReference(next) else {
      return failure("the next page has no usable URL")
    }
    let target = reference.resolved(against: base)
    guard target.origin == base.origin else {
      return failure(
        "the next page is at another origin, \(target.origin?.description ?? next), where this step's credentials don't belong")
    }
    return .success(target.description)
  }
}

extension CheckFailure: Error {}

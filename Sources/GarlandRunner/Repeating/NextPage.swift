import GarlandDiagnostics
import GarlandJSON
import GarlandTransfer
import GarlandResults
import GarlandWorkflow

/// The request for the next page of a list, as found in the response with the current page.
struct NextPage: Sendable {
  /// The URL of the next page, which may be relative; nil if the next page has the same URL as the current page.
  var url: String?
  /// The changes that turn the request for the current page into the request for the next page; nil if only the URL changes.
  var changes: PageChanges?

  /// Returns the request for the page after the one in `response`; nil if `response` contains the last page.
  static func find(
    after response: some ResponseView, _ pagination: Pagination, in context: any EvaluationContext
  ) throws(EvaluationError) -> NextPage? {
    guard let found = try candidate(after: response, pagination, in: context) else { return nil }
    if let condition = pagination.condition, try !condition.resolve(in: context) { return nil }
    return found
  }

  private static func candidate(
    after response: some ResponseView, _ pagination: Pagination, in context: any EvaluationContext
  ) throws(EvaluationError) -> NextPage? {
    switch pagination.next {
    case .link: return LinkHeader.target(of: "next", in: response.headers(named: "link")).map { NextPage(url: $0) }
    case .expression(let template): return try url(template, in: context).map { NextPage(url: $0) }
    case .request(let template):
      var page = NextPage()
      if let own = template.url {
        guard let found = try url(own, in: context) else { return nil }
        page.url = found
      }
      page.changes = try PageChanges(template, in: context)
      return page.changes == nil ? nil : page
    }
  }

  private static func url(_ template: Template, in context: any EvaluationContext) throws(EvaluationError) -> String? {
    guard let value = try PageChanges.value(of: template, in: context) else { return nil }
    guard let text = value.json.stringValue else {
      throw EvaluationError(
        Diagnostic(.wrongType, "expected the URL of the next page, found \(Shown.found(value.json))", at: template.range))
    }
    return text
  }

  /// Returns the absolute URL of the next page. If its origin differs from the origin of this page, returns a failure, since another server
  /// must not receive the credentials of the step.
  ///
  /// - Parameters:
  ///   - page: the final URL of the page.
  ///   - own: the URL that was requested for the page, before redirects.
  func resolve(on page: String, own: String, _ pagination: Pagination) -> Result<String, CheckFailure> {
    guard let next = url else { return .success(own) }
    func failure(_ message: String) -> Result<String, CheckFailure> {
      var failure = CheckFailure(.value, subject: "paginate", message: message, at: pagination.range)
      failure.actual = next
      return .failure(failure)
    }
    guard let base = try? URLReference(page), let reference = try? URLReference(next) else {
      return failure("the next page has no usable URL")
    }
    let target = reference.resolved(against: base)
    guard let origin = target.origin, origin == base.origin, origin.isHTTP else {
      return failure(
        "the next page is at another origin, \(target.origin?.description ?? next), where the credentials of this step are not sent")
    }
    return .success(target.description)
  }
}

extension CheckFailure: Error {}

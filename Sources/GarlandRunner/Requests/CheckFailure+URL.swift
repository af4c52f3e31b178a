import GarlandResults
import GarlandTransfer
import GarlandWorkflow

extension CheckFailure {
  /// Creates the failure of a step whose evaluated URL is invalid or has an unsupported scheme.
  init(unusableURL text: String, of request: RequestTemplate?) {
    self.init(.value, subject: "url", message: "is not a URL that a request can be sent to", at: request?.url.range)
    actual = text
    // A relative URL has been appended to the base URL, so the base URL lacks the scheme.
    if let base = request?.baseURL, !URLJoining.isAbsolute(text) {
      subject = "base_url"
      message = "has no scheme such as `https://`"
      self.range = base.range
      help = "write the whole URL, such as `https://example.com`"
      return
    }
    do throws(URLReferenceError) {
      let reference = try URLReference(text)
      if reference.scheme == nil, ExpressionScanner.hasExpression(text) {
        message = "contains `${…}`, which is evaluated only in documents"
        help = "values from the command line, from files and from responses are text"
      } else if reference.scheme == nil {
        message = "is relative, and there is no `base_url`"
        help = "write the whole URL, or add `defaults: { base_url: https://… }`"
      } else if reference.scheme != "http", reference.scheme != "https" {
        message = "has the scheme `\(reference.scheme ?? "")`, but only http and https are supported"
        if let scheme = OtherScheme(of: text) {
          help = "to read a `\(scheme.rawValue)` URL, write its scheme in the document, not in a value"
        }
      }
    } catch {
      message = "can't be used: \(error)"
    }
  }
}

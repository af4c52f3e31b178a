import GarlandJSON
import GarlandNetworking
import GarlandWorkflow

/// A response as expectations and extractions look at it: what expressions see of it, and what only checks ask for.
///
/// Whatever is costly (JSON, text, a digest) is made when it is asked for the first time, and at most once.
package protocol ResponseView: ResponseData {
  /// How many redirects were followed before it came.
  var redirectCount: Int { get }
  /// Why it was asked for without a ticket of Kerberos, if it should have been with one.
  var ticketProblem: String? { get }
  /// The method of the request that it answers, after redirects: what `HEAD` brought has no body, whatever its fields say.
  var method: String { get }
  /// What it is called: a request, if it is what a step has listened for.
  var noun: String { get }
  /// The values of `Accept` that the step itself wrote, evaluated; empty when it wrote none. Automatic validation goes by them.
  var acceptedTypes: [String] { get }
  /// The SHA-256 digest of the body's bytes, decoded, as 64 hexadecimal digits in lower case. Throws a sentence without an end.
  func sha256() throws(ResponseDataError) -> String
  /// What TLS made of the connection; nil without TLS, or when nothing expects anything of it.
  var security: ConnectionSecurity? { get }
  /// The body as XML or HTML. Throws a sentence without an end.
  func markup() throws(ResponseDataError) -> MarkupBody
  /// The values at singular paths of the body as JSON, nil where there is none; without a tree where that is possible. Throws like `json()`.
  func jsonValues(at paths: [[JSONPathElement]]) throws(ResponseDataError) -> [JSONValue?]
}

extension ResponseView {
  /// A response.
  package var noun: String { "response" }

  /// None.
  package var ticketProblem: String? { nil }
}

import GarlandJSON
import GarlandTransfer
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
  /// The body as a property list, with dates as RFC 3339 and data as Base64. Throws a sentence without an end.
  func propertyList() throws(ResponseDataError) -> JSONValue
  /// The first bytes of the body, decoded; fewer if it has no more. Throws a sentence without an end.
  func firstBytes(_ count: Int) throws(ResponseDataError) -> [UInt8]
  /// The values at singular paths of the body as JSON, nil where there is none; without a tree where that is possible. Throws like `json()`.
  func jsonValues(at paths: [[JSONPathElement]]) throws(ResponseDataError) -> [JSONValue?]
}

extension ResponseView {
  /// A response.
  package var noun: String { "response" }

  /// None.
  package var ticketProblem: String? { nil }

  /// What the response says of a cookie that it sets, the last of that name; nil if it sets none.
  func setCookie(named name: String) -> SetCookie? {
    headers(named: "set-cookie").compactMap { SetCookie($0) }.last { $0.name == name }
  }
}

extension CookieFact {
  /// What is said of it; nil if nothing is.
  func value(of cookie: SetCookie) -> JSONValue? {
    switch self {
    case .value: .string(cookie.value)
    case .path: cookie.path.map { .string($0) }
    case .domain: cookie.domain.map { .string($0) }
    case .expires: cookie.expires.flatMap { Timestamp(seconds: Double($0)) }.map { .string($0.iso) }
    case .maxAge: cookie.maxAge.map { JSONValue(Int($0)) }
    case .secure: .bool(cookie.isSecure)
    case .httpOnly: .bool(cookie.isHTTPOnly)
    case .sameSite: cookie.sameSite.map { .string($0.rawValue) }
    }
  }
}

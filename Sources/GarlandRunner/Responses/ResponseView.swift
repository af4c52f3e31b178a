import GarlandJSON
import GarlandTransfer
import GarlandWorkflow

/// A response as expectations and extractions read it: the members of expressions, and the values
/// that only checks need.
///
/// Costly values (JSON, text, a digest) are made at first use, and at most once.
package protocol ResponseView: ResponseData {
  /// The stream that its body was read as; nil if the body was read as a whole.
  var stream: StreamRecord? { get }
  /// The number of followed redirects.
  var redirectCount: Int { get }
  /// Why it was asked for without a ticket of Kerberos, if it should have been with one.
  var ticketProblem: String? { get }
  /// The method of the request that it answers, after redirects: what `HEAD` brought has no body, whatever its fields say.
  var method: String { get }
  /// Its name in messages: a request, if a listening step has received it.
  var noun: String { get }
  /// The values of `Accept` that the step itself wrote, evaluated; empty when it wrote none. Automatic validation goes by them.
  var acceptedTypes: [String] { get }
  /// The SHA-256 digest of the body's bytes, decoded, as 64 hexadecimal digits in lower case. Throws a sentence without an end.
  func sha256() throws(ResponseDataError) -> String
  /// The TLS parameters of the connection; nil without TLS, or if no expectation needs them.
  var security: ConnectionSecurity? { get }
  /// The body as XML or HTML. Throws a sentence without an end.
  func markup() throws(ResponseDataError) -> MarkupBody
  /// The body as a property list, with dates as RFC 3339 and data as Base64. Throws a sentence without an end.
  func propertyList() throws(ResponseDataError) -> JSONValue
  /// The first bytes of the body, decoded; fewer if it has no more. Throws a sentence without an end.
  func firstBytes(_ count: Int) throws(ResponseDataError) -> [UInt8]
  /// Returns the values at singular paths of the body as JSON, nil for missing ones; without a tree
  /// if possible. Throws like `json()`.
  func jsonValues(at paths: [[JSONPathElement]]) throws(ResponseDataError) -> [JSONValue?]
}

extension ResponseView {
  /// Nil: the body was read as a whole.
  package var stream: StreamRecord? { nil }

  /// A response.
  package var noun: String { "response" }

  /// Default: no problem.
  package var ticketProblem: String? { nil }

  /// Returns the last cookie of that name that the response sets; nil if it sets none.
  func setCookie(named name: String) -> SetCookie? {
    headers(named: "set-cookie").compactMap { SetCookie($0) }.last { $0.name == name }
  }
}

extension CookieFact {
  /// Returns the value of an attribute of a cookie; nil if it has none.
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

import GarlandJSON
import GarlandTransfer
import GarlandWorkflow

/// The values of a response that expectations and extractions can read: the members that expressions can use, and further values that only
/// expectations need.
///
/// Expensive values (JSON, text, a digest) are computed at their first use, and at most once.
package protocol ResponseView: ResponseData {
  /// The stream that was read from the body; nil if the body was read as a whole.
  var stream: StreamRecord? { get }
  /// The number of redirects that were followed.
  var redirectCount: Int { get }
  /// The reason why the request was sent without a Kerberos ticket although the document requires one; nil if no ticket is missing.
  var ticketProblem: String? { get }
  /// The method of the request, after redirects. A response to `HEAD` has no body, even if its header fields describe a body.
  var method: String { get }
  /// The word for this view in error messages: "response", or "request" for a request that a listening step has received.
  var noun: String { get }
  /// The values of the field `Accept` that the step itself sets; empty if the step does not set `Accept`. The default check of the media
  /// type compares the media type of the response with these values.
  var acceptedTypes: [String] { get }
  /// Returns the SHA-256 digest of the decoded body, as 64 hexadecimal digits in lower case. The message of a thrown error is a sentence
  /// without a full stop.
  func sha256() throws(ResponseDataError) -> String
  /// The TLS parameters of the connection; nil without TLS, or if no expectation needs them.
  var security: ConnectionSecurity? { get }
  /// Returns the body as XML or HTML. The message of an error is a sentence without a full stop.
  func markup() throws(ResponseDataError) -> MarkupBody
  /// Returns the body as a property list, with dates in the format of RFC 3339 and data in Base64. The message of an error is a sentence
  /// without a full stop.
  func propertyList() throws(ResponseDataError) -> JSONValue
  /// Returns the first bytes of the decoded body; fewer if the body is shorter. The message of an error is a sentence without a full stop.
  func firstBytes(_ count: Int) throws(ResponseDataError) -> [UInt8]
  /// Parses the body as JSON, and returns one item for each of the given paths: the value at the path, or nil if the value is missing. If
  /// possible, the body is parsed without building a tree. Throws the same errors as `json()`.
  func jsonValues(at places: BodyPaths) throws(ResponseDataError) -> [JSONValue?]
}

extension ResponseView {
  /// Default implementation: nil, since the body was read as a whole.
  package var stream: StreamRecord? { nil }

  /// Default implementation: "response", the word that messages use.
  package var noun: String { "response" }

  /// Default implementation: nil, which means that no Kerberos ticket was missing.
  package var ticketProblem: String? { nil }

  /// Returns the last cookie with the given name in the response's `Set-Cookie` fields; nil if there is none.
  func setCookie(named name: String) -> SetCookie? {
    headers(named: "set-cookie").compactMap { SetCookie($0) }.last { $0.name == name }
  }
}

extension CookieFact {
  /// Returns the value of a cookie's attribute; nil if the cookie does not have this attribute.
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

import HTTPTypes

/// A request as it was sent: after redirects, with cookies, credentials and the engine's own
/// fields.
public struct SentRequest: Sendable, Hashable {
  /// The method, which a redirect may have changed to GET.
  public let method: HTTPRequest.Method
  /// The URL without fragment, user and password.
  public let url: String
  /// The names of the fields that contain credentials and must be masked.
  public let credentialFields: Set<HTTPField.Name>
  /// Whether content was sent.
  public let hasBody: Bool
  /// The Kerberos library's reason why ``Credential/negotiate`` sent no ticket; nil if a ticket was
  /// sent, or none was requested.
  public let ticketProblem: String?
  let given: HTTPFields
  let additions: Additions

  /// The data for the header fields that the engine added to the request. The fields are created from this data only when they are read,
  /// and not for every request.
  struct Additions: Sendable, Hashable {
    var cookie: String?
    var removed: Set<HTTPField.Name>
    /// Whether the request has a `Host` field. False for `file` and `data` URLs.
    var namesHost = false
    var userAgent: String?
    /// The value of `Accept-Encoding`; nil if the field was not sent.
    var acceptEncoding: String?
    var sendsBody = false
    var bodyLength: Int64?
    var isHTTP2 = false
    /// Whether the request was sent with `Expect: 100-continue`.
    var expectsContinue = false
    /// The scheme with which libcurl authenticated the request; nil if libcurl did not authenticate it. Only the scheme is known, since
    /// libcurl does not report the value of the `Authorization` field that it sent.
    var libraryScheme: LibraryScheme?
  }

  /// The authentication schemes that libcurl implements.
  enum LibraryScheme: String, Sendable { case negotiate = "Negotiate", ntlm = "NTLM" }

  init(
    method: HTTPRequest.Method, url: String, credentialFields: Set<HTTPField.Name>, hasBody: Bool, ticketProblem: String?,
    given: HTTPFields, additions: Additions
  ) {
    self.method = method
    self.url = url
    self.credentialFields = credentialFields
    self.hasBody = hasBody
    self.ticketProblem = ticketProblem
    self.given = given
    self.additions = additions
  }

  /// The header fields, created on demand: first `Host`, `User-Agent`, `Accept` and `Accept-Encoding` of the engine, then the request's own
  /// fields in order, then `Cookie` and the engine's fields about the content.
  public var headerFields: HTTPFields {
    var fields = HTTPFields()
    func add(_ name: HTTPField.Name, _ value: String?) {
      if let value, given[name] == nil, !additions.removed.contains(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    if additions.namesHost, let url = try? URLReference(url) {
      add(.hostField, url.host.map { host in url.port.map { "\(host):\($0)" } ?? host })
    }
    add(.userAgent, additions.userAgent)
    add(.accept, "*/*")
    add(.acceptEncoding, additions.acceptEncoding)
    for field in given where field.name != .cookie { fields.append(field) }
    if let cookie = additions.cookie { fields.append(HTTPField(name: .cookie, value: cookie)) }
    guard additions.sendsBody else { return fields }
    if let length = additions.bodyLength {
      add(.contentLength, String(length))
    } else if !additions.isHTTP2 {
      add(.transferEncoding, "chunked")
    }
    if additions.expectsContinue { add(.expect, "100-continue") }
    return fields
  }
}

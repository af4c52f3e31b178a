import HTTPTypes

/// A request as it was really sent: after redirects, with cookies and credentials, and with what the engine adds by itself.
public struct SentRequest: Sendable, Hashable {
  /// The method, which a redirect may have changed to GET.
  public let method: HTTPRequest.Method
  /// The URL, without a fragment, user or password.
  public let url: String
  /// Which of the fields carry credentials, for whoever prints them.
  public let credentialFields: Set<HTTPField.Name>
  /// Whether content was sent as well.
  public let hasBody: Bool
  /// Why no ticket of Kerberos went with it although ``Credential/negotiate`` wanted one, in that library's words; nil when one did, or none was asked for.
  public let ticketProblem: String?
  let given: HTTPFields
  let additions: Additions

  /// What is needed to tell which fields were added, without making them for every request.
  struct Additions: Sendable, Hashable {
    var cookie: String?
    var removed: Set<HTTPField.Name>
    /// Whether the host that stands in the URL was named in a field.
    var namesHost = false
    var userAgent: String?
    /// The codings that were offered for the content.
    var acceptEncoding: String?
    var sendsBody = false
    var bodyLength: Int64?
    var isHTTP2 = false
    /// Whether leave was asked for before the content was sent.
    var expectsContinue = false
    /// Which scheme libcurl has spoken, whose field nobody else sees.
    var libraryScheme: LibraryScheme?
  }

  /// Schemes that are libcurl's business.
  enum LibraryScheme: String, Sendable { case negotiate = "Negotiate", ntlm = "NTLM" }

  /// The header: `Host` and what else the engine adds first, then the request's own fields in their order. Put together on demand.
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

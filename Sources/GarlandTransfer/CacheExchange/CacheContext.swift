import HTTPTypes

/// The properties of a request that matter to the cache, as they are when the request is sent. Used on the engine's thread only.
final class CacheContext {
  let method: HTTPRequest.Method
  let url: URLReference
  /// The header fields of the request. libcurl may add other fields.
  let fields: HTTPFields
  let hasBody: Bool
  let policy: CachePolicy
  /// A text that distinguishes servers with the same URL. It has two parts: the socket or address that the request uses instead of the
  /// URL's address (empty if there is none), and the requirements that the server's certificate must meet (see ``CacheTrust``).
  let route: String
  /// The cookies that are sent with the request; nil without cookies.
  var cookies: String?
  private let settings: TransferSettings
  private let removedFields: Set<HTTPField.Name>
  private let credentials: String?

  /// Creates the context of a request. Returns nil if the cache cannot be used for the request.
  init?(_ request: TransferRequest, _ hop: RedirectState, cookies: String?) {
    method = hop.method
    var url = hop.url
    url.userInfo = nil
    url.fragment = nil
    guard let trust = CacheTrust(request.settings, url) else { return nil }
    self.url = url
    fields = hop.headerFields
    hasBody = hop.sendsBody
    policy = request.settings.cachePolicy
    settings = request.settings
    removedFields = request.removedFields
    self.cookies = cookies
    route = Self.route(request.settings, url) + trust.identity
    credentials = Self.credentials(request, hop)
  }

  /// The cache key of the URL; nil if the key, which is a digest of the URL, cannot be computed.
  var primary: CacheKey? { try? CacheKey(url: url, route: route) }

  /// Returns the request's value for `name`, one of ``Selection/names``: the value of a header field, or the credentials. Returns nil if
  /// the request has no such value. A stored response may be used only if the request that led to it had the same value as this request.
  func value(_ name: String) -> String? {
    if name == Selection.credentials { return credentials }
    guard let name = HTTPField.Name(name) else { return nil }
    if name == .cookie { return cookies }
    let own = fields[values: name]
    if !own.isEmpty { return own.joined(separator: ",") }
    // If the field differs in each request, or libcurl creates it, the identity of the requester is compared
    // instead.
    if name == .authorization { return credentials }
    if removedFields.contains(name) { return nil }
    switch name {
    case .userAgent: return settings.userAgent
    case .accept: return "*/*"
    case .acceptEncoding: return settings.decodesContent ? ContentDecoding.offer : nil
    default: return nil
    }
  }

  /// Returns the socket or address that the request is sent to; an empty text if the URL determines the address.
  private static func route(_ settings: TransferSettings, _ url: URLReference) -> String {
    var route = settings.unixSocket.map { "unix:\($0)" } ?? ""
    if !settings.resolve.isEmpty || !settings.connectTo.isEmpty, let origin = url.origin {
      let target = ConnectionTarget(for: origin, settings)
      if !target.isPlain(for: origin) { route += "\n\(target.host):\(target.port) \(target.addresses)" }
    }
    return route
  }

  /// Returns all credentials of the request except cookies, as one text; nil if there are none.
  private static func credentials(_ request: TransferRequest, _ hop: RedirectState) -> String? {
    var parts: [String] = []
    for name in request.credentialFields.union([.authorization]).sorted(by: { $0.canonicalName < $1.canonicalName }) where name != .cookie {
      for value in hop.headerFields[values: name] { parts.append("\(name.canonicalName):\(value)") }
    }
    if hop.isTrusted {
      // Add credentials that are not in a field, or are in a field that differs in each request.
      switch request.credential {
      case nil, .basic, .bearer: break
      case .digest(let user, let password), .challenged(let user, let password): parts.append("digest:\(user):\(password)")
      case .ntlm(let user, let password): parts.append("ntlm:\(user):\(password)")
      case .negotiate: parts.append("negotiate")
      case .aws(let key): parts.append("aws:\(key.accessKey)")
      }
      switch request.settings.tls.clientCertificate?.certificate {
      case .file(let path): parts.append("certificate:\(path)")
      case .bytes(let bytes): parts.append("certificate:\(bytes)")
      case nil: break
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: "\n")
  }
}

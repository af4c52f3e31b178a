import HTTPTypes

/// What the cache needs to know of a request, as it is sent. Used on the engine's thread only.
final class CacheContext {
  let method: HTTPRequest.Method
  let url: URLReference
  /// The request's own fields.
  let fields: HTTPFields
  let hasBody: Bool
  let policy: CachePolicy
  /// What tells apart servers with the same URL, and what they had to show.
  let route: String
  /// All cookies that are sent.
  var cookies: String?
  private let settings: TransferSettings
  private let removedFields: Set<HTTPField.Name>
  private let credentials: String?

  /// Nil if the cache has to stand aside.
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

  /// Nil if there is no digest to be had.
  var primary: CacheKey? { try? CacheKey(url: url, route: route) }

  /// The value that the request has for a name of a ``Selection``.
  func value(_ name: String) -> String? {
    if name == Selection.credentials { return credentials }
    guard let name = HTTPField.Name(name) else { return nil }
    if name == .cookie { return cookies }
    let own = fields[values: name]
    if !own.isEmpty { return own.joined(separator: ",") }
    // Where it is another each time, or made by libcurl, it varies with who asks.
    if name == .authorization { return credentials }
    if removedFields.contains(name) { return nil }
    switch name {
    case .userAgent: return settings.userAgent
    case .accept: return "*/*"
    case .acceptEncoding: return settings.decodesContent ? ContentDecoding.offer : nil
    default: return nil
    }
  }

  /// Where the request goes if not where its URL says.
  private static func route(_ settings: TransferSettings, _ url: URLReference) -> String {
    var route = settings.unixSocket.map { "unix:\($0)" } ?? ""
    if !settings.resolve.isEmpty || !settings.connectTo.isEmpty, let origin = url.origin {
      let target = ConnectionTarget(for: origin, settings)
      if !target.isPlain(for: origin) { route += "\n\(target.host):\(target.port) \(target.addresses)" }
    }
    return route
  }

  /// Everything that proves who is asking, but cookies.
  private static func credentials(_ request: TransferRequest, _ hop: RedirectState) -> String? {
    var parts: [String] = []
    for name in request.credentialFields.union([.authorization]).sorted(by: { $0.canonicalName < $1.canonicalName }) where name != .cookie {
      for value in hop.headerFields[values: name] { parts.append("\(name.canonicalName):\(value)") }
    }
    if hop.isTrusted {
      // Where they are not in a field, or in one that is another each time.
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

/// A cookie as a jar keeps it (RFC 6265, section 5.3).
public struct Cookie: Sendable, Hashable {
  /// What the server said of requests from other sites. Kept, and of no effect here, where no page asks for anything.
  public enum SameSite: String, Sendable, Hashable {
    /// With requests of the same site only.
    case strict = "Strict"
    /// With what leads to the site from elsewhere as well.
    case lax = "Lax"
    /// With all requests.
    case none = "None"
  }

  /// Its name; may be empty.
  public var name: String
  /// Its value, verbatim.
  public var value: String
  /// The domain it is for, in lower case and without a dot in front.
  public var domain: String
  /// The path it is for.
  public var path: String
  /// When it ends, in seconds since 1970; nil is at the end of the session.
  public var expires: Int64?
  /// Whether only the very host gets it, and not hosts below it.
  public var isHostOnly: Bool
  /// Whether it goes over TLS only.
  public var isSecure: Bool
  /// Whether scripts must not see it. Kept, and of no effect here.
  public var isHTTPOnly: Bool
  /// What the server said of requests from other sites.
  public var sameSite: SameSite?
  /// The order in which cookies came, which decides the order in which they are sent.
  var creation: UInt64 = 0
  var lastUse: UInt64 = 0

  /// A cookie. By default for exactly one host, all paths and the session.
  public init(
    name: String, value: String, domain: String, path: String = "/", expires: Int64? = nil, isHostOnly: Bool = true, isSecure: Bool = false,
    isHTTPOnly: Bool = false, sameSite: SameSite? = nil
  ) {
    self.name = name
    self.value = value
    self.domain = domain.lowercased()
    self.path = path
    self.expires = expires
    self.isHostOnly = isHostOnly
    self.isSecure = isSecure
    self.isHTTPOnly = isHTTPOnly
    self.sameSite = sameSite
  }

  func isSameSlot(as other: Cookie) -> Bool {
    name == other.name && domain == other.domain && path == other.path
  }

  func hasExpired(at time: Int64) -> Bool { expires.map { $0 <= time } ?? false }

  /// Whether a request for this URL gets it (section 5.4).
  func applies(host: String, path requestPath: String, isSecureOrigin: Bool) -> Bool {
    if isSecure, !isSecureOrigin { return false }
    guard isHostOnly ? host == domain : CookieRules.domainMatches(host, domain) else { return false }
    return CookieRules.pathMatches(requestPath, path)
  }
}

/// A cookie as stored in a cookie jar (RFC 6265, section 5.3).
public struct Cookie: Sendable, Hashable {
  /// The server's rule for requests from other sites. It is stored but has no effect, since there are no
  /// web pages that make requests.
  public enum SameSite: String, Sendable, Hashable {
    /// The cookie is sent with requests of the same site only.
    case strict = "Strict"
    /// The cookie is also sent with navigation from other sites.
    case lax = "Lax"
    /// The cookie is sent with all requests.
    case none = "None"
  }

  /// The name, which may be empty.
  public var name: String
  /// The value, verbatim.
  public var value: String
  /// The domain, in lower case and without a leading dot.
  public var domain: String
  /// The URL path for which the cookie is sent. The cookie is also sent for all paths below this path.
  public var path: String
  /// The expiry in seconds since 1970; nil for a cookie that expires at the end of the session.
  public var expires: Int64?
  /// Whether only the host ``domain`` receives the cookie, and not its subdomains.
  public var isHostOnly: Bool
  /// Whether the cookie is sent over TLS only.
  public var isSecure: Bool
  /// Whether scripts must not read the cookie. The value is stored but has no effect.
  public var isHTTPOnly: Bool
  /// The server's rule for requests from other sites; nil if the server has set none.
  public var sameSite: SameSite?
  /// A number that increases with each new cookie. Among cookies whose paths have the same length, the cookie with the smallest number is
  /// sent first.
  var creation: UInt64 = 0
  var lastUse: UInt64 = 0

  /// Creates a cookie. By default it applies to one host and all paths, and expires with the session.
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

  /// Whether the cookie is sent with a request to a host and path (RFC 6265, section 5.4).
  func applies(host: String, path requestPath: String, isSecureOrigin: Bool) -> Bool {
    if isSecure, !isSecureOrigin { return false }
    guard isHostOnly ? host == domain : CookieRules.domainMatches(host, domain) else { return false }
    return CookieRules.pathMatches(requestPath, path)
  }
}

/// Cookies and the rules for storing, sending and removing them (RFC 6265). The type is a pure value; the
/// caller passes the time in seconds since 1970.
public struct CookieStore: Sendable, Hashable {
  /// The maximum number of cookies per domain. Beyond it, the least recently used cookie is removed first.
  public static let maximumPerDomain = 180
  /// The maximum number of cookies in the store.
  public static let maximum = 3000

  /// All cookies, including expired cookies that were not removed yet, in no particular order.
  public private(set) var cookies: [Cookie] = []
  private var clock: UInt64 = 0

  /// Creates an empty store.
  public init() {}

  /// Stores the cookie from a `Set-Cookie` field of a response from `url`. Returns false if the cookie is refused. Examples: its domain
  /// does not match the host, its domain is a public suffix, or it breaks the rules of the name prefixes `__Secure-` and `__Host-`.
  @discardableResult
  public mutating func store(setCookie text: String, from url: URLReference, at now: Int64) -> Bool {
    guard let field = SetCookie(text), let host = url.host else { return false }
    var cookie = Cookie(name: field.name, value: field.value, domain: host)
    if let domain = field.domain {
      guard let domain = HostName.ascii(domain[...]) else { return false }
      if CookieRules.isPublicSuffix(domain) {
        // RFC 6265, section 5.3, step 5: a host that is a public suffix may set cookies for itself only.
        guard domain == host else { return false }
      } else {
        guard CookieRules.domainMatches(host, domain) else { return false }
        cookie.isHostOnly = false
        cookie.domain = domain
      }
    }
    cookie.path = field.path ?? CookieRules.defaultPath(of: url.path)
    cookie.isSecure = field.isSecure
    cookie.isHTTPOnly = field.isHTTPOnly
    cookie.sameSite = field.sameSite
    if let seconds = field.maxAge {
      cookie.expires = seconds <= 0 ? Int64.min : now.addingReportingOverflow(seconds).partialValue
    } else {
      cookie.expires = field.expires
    }
    let isSecureOrigin = Self.isSecure(url)
    if field.isSecure, !isSecureOrigin { return false }
    if field.name.hasPrefix("__Secure-"), !field.isSecure { return false }
    if field.name.hasPrefix("__Host-"), !field.isSecure || !cookie.isHostOnly || cookie.path != "/" { return false }
    // Section 5.7 of RFC 6265bis: an insecure origin must not replace a secure cookie.
    if !isSecureOrigin,
      cookies.contains(where: { $0.isSecure && $0.name == cookie.name && CookieRules.domainMatches($0.domain, cookie.domain) })
    {
      return false
    }
    insert(cookie, at: now)
    return true
  }

  /// Inserts a cookie. It replaces a cookie with the same name, domain and path. An expired cookie removes the existing cookie and is not
  /// stored.
  public mutating func insert(_ cookie: Cookie, at now: Int64) {
    clock += 1
    var cookie = cookie
    cookie.creation = clock
    cookie.lastUse = clock
    if let index = cookies.firstIndex(where: { $0.isSameSlot(as: cookie) }) {
      if cookie.hasExpired(at: now) {
        cookies.remove(at: index)
      } else {
        cookie.creation = cookies[index].creation
        cookies[index] = cookie
      }
      return
    }
    if cookie.hasExpired(at: now) { return }
    cookies.append(cookie)
    evict(for: cookie.domain, at: now)
  }

  /// Returns the cookies for a request for `url` in the order of RFC 6265, section 5.4: longer paths first,
  /// then older cookies first.
  public mutating func cookies(for url: URLReference, at now: Int64) -> [Cookie] {
    guard !cookies.isEmpty, let host = url.host else { return [] }
    let isSecureOrigin = Self.isSecure(url)
    var found: [Cookie] = []
    clock += 1
    for index in cookies.indices
    where !cookies[index].hasExpired(at: now) && cookies[index].applies(host: host, path: url.path, isSecureOrigin: isSecureOrigin) {
      cookies[index].lastUse = clock
      found.append(cookies[index])
    }
    return found.sorted { left, right in
      let (leftLength, rightLength) = (left.path.utf8.count, right.path.utf8.count)
      return leftLength == rightLength ? left.creation < right.creation : leftLength > rightLength
    }
  }

  /// Returns the value of the `Cookie` field for a request for `url`; nil if there is none.
  public mutating func header(for url: URLReference, at now: Int64) -> String? {
    let found = cookies(for: url, at: now)
    if found.isEmpty { return nil }
    return found.map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }

  /// Removes the cookies for which `predicate` is true.
  public mutating func removeAll(where predicate: (Cookie) -> Bool) {
    cookies.removeAll(where: predicate)
  }

  private mutating func evict(for domain: String, at now: Int64) {
    if cookies.count > Self.maximum || cookies.lazy.filter({ $0.domain == domain }).count > Self.maximumPerDomain {
      cookies.removeAll { $0.hasExpired(at: now) }
    }
    if cookies.lazy.filter({ $0.domain == domain }).count > Self.maximumPerDomain { removeOldest { $0.domain == domain } }
    if cookies.count > Self.maximum { removeOldest { _ in true } }
  }

  private mutating func removeOldest(_ isCandidate: (Cookie) -> Bool) {
    var oldest: Int?
    for index in cookies.indices where isCandidate(cookies[index]) {
      if let current = oldest, cookies[current].lastUse <= cookies[index].lastUse { continue }
      oldest = index
    }
    if let oldest { cookies.remove(at: oldest) }
  }

  /// Whether a URL is secure, so that cookies with the attribute `Secure` can be used: the URL uses TLS, or its host is this machine.
  /// Browsers also trust local hosts.
  static func isSecure(_ url: URLReference) -> Bool {
    if url.scheme == "https" { return true }
    guard let host = url.host else { return false }
    return host == "localhost" || host == "127.0.0.1" || host == "[::1]" || host.hasSuffix(".localhost")
  }
}

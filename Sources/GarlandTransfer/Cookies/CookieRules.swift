import CPSL

/// The rules of RFC 6265, section 5.1, by which hosts and paths match the domains and paths of cookies.
enum CookieRules {
  /// Whether a host matches a cookie's domain (RFC 6265, section 5.1.3). Both must be in lower case. An IP
  /// address matches only itself.
  static func domainMatches(_ host: String, _ domain: String) -> Bool {
    if host == domain { return true }
    let hostBytes = host.utf8
    let domainBytes = domain.utf8
    guard hostBytes.count > domainBytes.count, !domainBytes.isEmpty else { return false }
    let cut = hostBytes.index(hostBytes.endIndex, offsetBy: -domainBytes.count)
    return hostBytes[hostBytes.index(before: cut)] == UInt8(ascii: ".") && hostBytes[cut...].elementsEqual(domainBytes)
      && !isAddress(host)
  }

  /// Whether a request's path matches a cookie's path (RFC 6265, section 5.1.4).
  static func pathMatches(_ requestPath: String, _ cookiePath: String) -> Bool {
    let request = requestPath.isEmpty ? "/".utf8 : requestPath.utf8
    let cookie = cookiePath.utf8
    guard request.starts(with: cookie) else { return false }
    if request.count == cookie.count || cookie.last == UInt8(ascii: "/") { return true }
    return request[request.index(request.startIndex, offsetBy: cookie.count)] == UInt8(ascii: "/")
  }

  /// Returns the path for a cookie without a path: the URL's path before its last slash, or `/` if nothing precedes that slash (RFC 6265,
  /// section 5.1.4).
  static func defaultPath(of path: String) -> String {
    guard path.utf8.first == UInt8(ascii: "/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else {
      return "/"
    }
    return String(path[..<slash])
  }

  /// Whether a host is an IPv4 address, or an IPv6 address in brackets.
  static func isAddress(_ host: String) -> Bool {
    if host.utf8.first == UInt8(ascii: "[") { return true }
    let parts = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        !part.isEmpty && part.count <= 3 && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      }
  }

  /// Whether `domain` is a public suffix, such as `co.uk`. Anybody can register a domain below a public suffix, so a cookie for the public
  /// suffix would be sent to domains of unrelated owners.
  ///
  /// A name without a dot, such as `localhost`, also counts as a public suffix. Only the host `localhost` itself can set a cookie with the
  /// domain `localhost`.
  static func isPublicSuffix(_ domain: String) -> Bool {
    guard let list = psl_builtin() else { return !domain.utf8.contains(UInt8(ascii: ".")) }
    return psl_is_public_suffix(list, domain) != 0
  }
}

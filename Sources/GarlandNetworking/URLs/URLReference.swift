/// A URL, or a reference that is relative to one (RFC 3986), taken apart.
///
/// ```swift
/// let base = try URLReference("http://a/b/c/d;p?q")
/// print(try URLReference("../g").resolved(against: base))  // http://a/b/g
/// ```
/// It is lenient as browsers are: spaces, characters beyond ASCII and those that no URL may have are percent-encoded, letter case of scheme
/// and host goes. Control characters are refused.
public struct URLReference: Sendable, Hashable {
  /// In lower case, without the colon.
  public var scheme: String?
  /// User and password as they stand before the `@`, encoded.
  public var userInfo: String?
  /// In lower case and ASCII (RFC 3492), with brackets if it is an IPv6 address. Nil if there is no authority.
  public var host: String?
  /// As written; nil is the scheme's default.
  public var port: Int?
  /// Encoded. Empty or beginning with `/` where there is an authority.
  public var path: String
  /// Encoded, without the `?`. An empty one differs from none.
  public var query: String?
  /// Encoded, without the `#`.
  public var fragment: String?

  /// Takes `text` apart.
  public init(_ text: String) throws(URLReferenceError) {
    var text = text
    if let encoded = try PercentEncoding.repaired(text) { text = encoded }
    var scanner = URLScanner(text)
    scheme = scanner.scheme()
    if let authority = scanner.authority() {
      (userInfo, host, port) = try AuthorityParser.parse(authority, of: text)
    }
    path = scanner.path()
    query = scanner.query()
    fragment = scanner.fragment()
  }

  /// The reference, put in relation to an absolute URL (RFC 3986, section 5.2.2, strict).
  public func resolved(against base: URLReference) -> URLReference {
    var target = self
    if scheme != nil {
      target.path = DotSegments.removed(from: path)
      return target
    }
    target.scheme = base.scheme
    if host != nil {
      target.path = DotSegments.removed(from: path)
      return target
    }
    target.userInfo = base.userInfo
    target.host = base.host
    target.port = base.port
    if path.isEmpty {
      target.path = base.path
      if query == nil { target.query = base.query }
    } else if path.utf8.first == UInt8(ascii: "/") {
      target.path = DotSegments.removed(from: path)
    } else {
      target.path = DotSegments.removed(from: base.merged(path))
    }
    return target
  }

  /// Section 5.2.3: everything up to the base's last slash, then the reference.
  private func merged(_ relative: String) -> String {
    if host != nil, path.isEmpty { return "/" + relative }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return relative }
    return String(path[...slash]) + relative
  }

  /// The port, or the default of `http`, `https` and `ftp`.
  public var effectivePort: Int? {
    port ?? (scheme == "http" ? 80 : scheme == "https" ? 443 : scheme == "ftp" ? 21 : nil)
  }

  /// Scheme, host and port, if the reference is an absolute URL with a host and a port that is known.
  public var origin: Origin? {
    guard let scheme, let host, let port = effectivePort else { return nil }
    return Origin(scheme: scheme, host: host, port: port)
  }
}

extension URLReference: CustomStringConvertible {
  /// Put together again (RFC 3986, section 5.3).
  public var description: String {
    var text = ""
    if let scheme { text += scheme + ":" }
    if let host {
      text += "//"
      if let userInfo { text += userInfo + "@" }
      text += host
      if let port { text += ":\(port)" }
    } else if path.utf8.starts(with: "//".utf8) {
      text += "/."
    }
    text += path
    if let query { text += "?" + query }
    if let fragment { text += "#" + fragment }
    return text
  }
}

import GarlandText

/// A parsed URL, or a reference relative to a URL (RFC 3986).
///
/// ```swift
/// let base = try URLReference("http://a/b/c/d;p?q")
/// print(try URLReference("../g").resolved(against: base))  // http://a/b/g
/// ```
/// Parsing is as lenient as in browsers: spaces, non-ASCII characters and illegal characters are
/// percent-encoded, and scheme and host are converted to lower case. Control characters are
/// refused.
public struct URLReference: Sendable, Hashable {
  /// The scheme in lower case, without the colon.
  public var scheme: String?
  /// The percent-encoded user and password before the `@`.
  public var userInfo: String?
  /// The host in lower case and ASCII (RFC 3492), with brackets for an IPv6 address; nil if there is no
  /// authority.
  public var host: String?
  /// The explicit port; nil for the scheme's default port.
  public var port: Int?
  /// The percent-encoded path. If there is an authority, the path is empty or begins with `/`.
  public var path: String
  /// The percent-encoded query without the `?`. An empty query is different from nil, which means no query.
  public var query: String?
  /// The percent-encoded fragment without the `#`.
  public var fragment: String?

  /// Parses a URL or a relative reference. Throws if the text is neither.
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

  /// Creates a URL that has the same scheme, host and port as the URL `other`. This is faster than parsing the whole text.
  ///
  /// Returns nil unless `text` begins with `prefix` and then contains only characters that parsing does not change.
  ///
  /// - Parameters:
  ///   - text: The URL.
  ///   - prefix: The start of the other URL, up to its path, in UTF-8.
  init?(_ text: String, beside other: URLReference, prefix: [UInt8]) {
    guard let places = Self.places(in: text, after: prefix) else { return nil }
    let utf8 = text.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: places.path)
    scheme = other.scheme
    host = other.host
    port = other.port
    if let query = places.query {
      let mark = utf8.index(utf8.startIndex, offsetBy: query)
      path = String(text[start..<mark])
      self.query = String(text[utf8.index(after: mark)...])
    } else {
      path = String(text[start...])
    }
  }

  /// Whether a URL consists of the prefix, a path and possibly a query, with only simple characters after the prefix. Parsing would not
  /// change such a URL.
  static func isPlain(_ text: String, after prefix: [UInt8]) -> Bool { places(in: text, after: prefix) != nil }

  private static func places(in text: String, after prefix: [UInt8]) -> (path: Int, query: Int?)? {
    var text = text
    return text.withUTF8 { bytes -> (path: Int, query: Int?)? in
      guard bytes.count > prefix.count, bytes[prefix.count] == UInt8(ascii: "/") else { return nil }
      for index in prefix.indices where bytes[index] != prefix[index] { return nil }
      var query: Int?
      var before: UInt8 = 0
      for index in prefix.count..<bytes.count {
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "="), UInt8(ascii: "&"), UInt8(ascii: ","), UInt8(ascii: ":"):
          break
        case UInt8(ascii: "/"): break
        // Dots after a slash may be a parent reference.
        case UInt8(ascii: "."): if before == UInt8(ascii: "/"), query == nil { return nil }
        case UInt8(ascii: "?"): if query == nil { query = index } else { return nil }
        default: return nil
        }
        before = byte
      }
      return (prefix.count, query)
    }
  }

  /// Returns the reference resolved against an absolute URL (RFC 3986, section 5.2.2, strict).
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

  /// Returns the path of this URL up to its last slash, followed by the relative path (RFC 3986, section 5.2.3).
  private func merged(_ relative: String) -> String {
    if host != nil, path.isEmpty { return "/" + relative }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return relative }
    return String(path[...slash]) + relative
  }

  /// The explicit port, otherwise the default port of `http`, `https` or `ftp`; nil for another scheme.
  public var effectivePort: Int? {
    port ?? (scheme == "http" ? 80 : scheme == "https" ? 443 : scheme == "ftp" ? 21 : nil)
  }

  /// The scheme, host and port; nil unless the reference is an absolute URL with a host and a known port.
  public var origin: Origin? {
    guard let scheme, let host, let port = effectivePort else { return nil }
    return Origin(scheme: scheme, host: host, port: port)
  }
}

extension URLReference: CustomStringConvertible {
  /// The URL as text (RFC 3986, section 5.3).
  public var description: String {
    let digits = port.map { String($0) }
    let needsDot = host == nil && path.utf8.starts(with: "//".utf8)
    var capacity = path.utf8.count + 8
    capacity += scheme?.utf8.count ?? 0
    capacity += userInfo?.utf8.count ?? 0
    capacity += host?.utf8.count ?? 0
    capacity += digits?.utf8.count ?? 0
    capacity += query?.utf8.count ?? 0
    capacity += fragment?.utf8.count ?? 0
    // Built in one step, since every request needs it.
    return String(unsafeUninitializedCapacity: capacity) { buffer in
      var count = 0
      func add(_ byte: UInt8) {
        buffer[count] = byte
        count += 1
      }
      func add(_ text: String) {
        for byte in text.utf8 {
          buffer[count] = byte
          count += 1
        }
      }
      if let scheme {
        add(scheme)
        add(UInt8(ascii: ":"))
      }
      if let host {
        add(UInt8(ascii: "/"))
        add(UInt8(ascii: "/"))
        if let userInfo {
          add(userInfo)
          add(UInt8(ascii: "@"))
        }
        add(host)
        if let digits {
          add(UInt8(ascii: ":"))
          add(digits)
        }
      } else if needsDot {
        add(UInt8(ascii: "/"))
        add(UInt8(ascii: "."))
      }
      add(path)
      if let query {
        add(UInt8(ascii: "?"))
        add(query)
      }
      if let fragment {
        add(UInt8(ascii: "#"))
        add(fragment)
      }
      return count
    }
  }
}

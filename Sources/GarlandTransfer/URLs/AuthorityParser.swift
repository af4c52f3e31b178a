import GarlandText

/// Parses the part of a URL between `//` and the path: `user:password@host:port`.
enum AuthorityParser {
  static func parse(
    _ authority: Substring, of text: String
  ) throws(URLReferenceError) -> (userInfo: String?, host: String, port: Int?) {
    // Browsers treat a backslash as a slash: the host must not depend on the reader of the URL.
    if authority.utf8.contains(UInt8(ascii: "\\")) { throw URLReferenceError(.invalidHost(String(authority)), in: text) }
    var rest = authority
    var userInfo: String?
    // The last `@` counts: a password often contains an unencoded `@`, and a host never contains one.
    if let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
      userInfo = PercentEncoding.encode(String(rest[..<at]), keeping: PercentEncoding.userInfo)
      rest = rest[rest.utf8.index(after: at)...]
    }
    var port: Int?
    var host = rest
    if rest.utf8.first == UInt8(ascii: "[") {
      guard let close = rest.utf8.firstIndex(of: UInt8(ascii: "]")) else { throw URLReferenceError(.invalidAddressLiteral, in: text) }
      let behind = rest.utf8.index(after: close)
      host = rest[..<behind]
      rest = rest[behind...]
      guard rest.isEmpty || rest.utf8.first == UInt8(ascii: ":") else { throw URLReferenceError(.invalidAddressLiteral, in: text) }
      guard host.utf8.dropFirst().dropLast().allSatisfy(isAddressByte), host.utf8.count > 2 else {
        throw URLReferenceError(.invalidHost(String(host)), in: text)
      }
      port = try self.port(rest.dropFirst(), in: text)
      return (userInfo, host.lowercased(), port)
    }
    if let colon = rest.utf8.lastIndex(of: UInt8(ascii: ":")) {
      host = rest[..<colon]
      port = try self.port(rest[rest.utf8.index(after: colon)...], in: text)
    }
    guard let ascii = HostName.ascii(host) else { throw URLReferenceError(.invalidHost(String(host)), in: text) }
    return (userInfo, ascii, port)
  }

  /// Parses the port. An empty port means the default port (nil), as in RFC 3986.
  private static func port(_ digits: Substring, in text: String) throws(URLReferenceError) -> Int? {
    if digits.isEmpty { return nil }
    guard digits.utf8.allSatisfy(\.isDigit), let port = Int(digits), port <= 65535 else {
      throw URLReferenceError(.invalidPort(String(digits)), in: text)
    }
    return port
  }

  /// Whether a byte may occur in an IPv6 address with a zone. The resolver later checks whether the
  /// whole address is valid.
  private static func isAddressByte(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || ":.%-_".utf8.contains(byte)
  }
}

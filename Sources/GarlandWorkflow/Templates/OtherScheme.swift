import GarlandText

/// The schemes other than `http` and `https` from which a step can read. They allow only the methods GET and HEAD, and no body.
package enum OtherScheme: String, CaseIterable, Sendable {
  /// A file on this machine (RFC 8089).
  case file
  /// Data in the URL itself (RFC 2397).
  case data
  /// A file on an FTP server.
  case ftp

  /// Returns the scheme of a URL. Returns nil for `http` and `https`, for an unknown scheme, and for a URL without a scheme.
  package init?(of url: String) {
    // This check must be fast, since it is made for every request. Nearly all requests use HTTP.
    guard let first = url.utf8.first.map({ $0 | 0x20 }), first == UInt8(ascii: "f") || first == UInt8(ascii: "d"),
      let scheme = OtherScheme.allCases.first(where: { url.prefix($0.rawValue.utf8.count + 1).lowercased() == $0.rawValue + ":" })
    else { return nil }
    self = scheme
  }

  /// Returns the path in a `file:` URL, which is absolute or relative to the document. Returns nil for a file on another machine, and for
  /// any other URL.
  package static func path(ofFile url: String) -> String? {
    guard OtherScheme(of: url) == .file else { return nil }
    var rest = url.dropFirst("file:".count).prefix { $0 != "?" && $0 != "#" }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != "/" }
      guard host.isEmpty || host.lowercased() == "localhost" else { return nil }
      rest = rest.dropFirst(host.count)
    }
    return PercentEncoding.text(decoding: rest)
  }
}

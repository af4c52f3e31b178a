import GarlandJSON

/// The schemes beside HTTP that a step reads by: what they name has no methods but GET and HEAD, and no body is sent there.
package enum OtherScheme: String, CaseIterable, Sendable {
  /// A file of this machine (RFC 8089).
  case file
  /// The content is in the URL itself (RFC 2397).
  case data
  /// A file of an FTP server.
  case ftp

  /// The scheme of a URL; nil for that of HTTP, any other, and none.
  package init?(of url: some StringProtocol) {
    // Every request passes here, and nearly all of them are HTTP's.
    guard let first = url.utf8.first.map({ $0 | 0x20 }), first == UInt8(ascii: "f") || first == UInt8(ascii: "d"),
      let scheme = OtherScheme.allCases.first(where: { url.prefix($0.rawValue.utf8.count + 1).lowercased() == $0.rawValue + ":" })
    else { return nil }
    self = scheme
  }

  /// Returns the path that a `file:` URL names, absolute or relative to the document; nil for a
  /// path on another machine, or another URL.
  package static func path(ofFile url: String) -> String? {
    guard OtherScheme(of: url) == .file else { return nil }
    var rest = url.dropFirst("file:".count).prefix { $0 != "?" && $0 != "#" }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != "/" }
      guard host.isEmpty || host.lowercased() == "localhost" else { return nil }
      rest = rest.dropFirst(host.count)
    }
    return String(decoding: PercentText.decode(rest), as: UTF8.self)
  }
}

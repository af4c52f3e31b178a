import GarlandJSON
import GarlandText

/// The schemes other than HTTP from which a step can read. They allow no methods but GET and HEAD, and no body is sent.
package enum OtherScheme: String, CaseIterable, Sendable {
  /// A file on this machine (RFC 8089).
  case file
  /// Content that the URL itself contains (RFC 2397).
  case data
  /// A file on an FTP server.
  case ftp

  /// Returns the scheme of a URL; nil for HTTP, for an unknown scheme, and for a URL without a scheme.
  package init?(of url: some StringProtocol) {
    // This check is fast, since it is made for every request, and nearly all of them use HTTP.
    guard let first = url.utf8.first.map({ $0 | 0x20 }), first == UInt8(ascii: "f") || first == UInt8(ascii: "d"),
      let scheme = OtherScheme.allCases.first(where: { url.prefix($0.rawValue.utf8.count + 1).lowercased() == $0.rawValue + ":" })
    else { return nil }
    self = scheme
  }

  /// Returns the path in a `file:` URL, absolute or relative to the document; nil for a file on another machine, and for any other URL.
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

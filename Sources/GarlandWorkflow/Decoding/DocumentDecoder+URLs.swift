import GarlandDiagnostics

/// What a URL that is written out can't be, found before a request of it is.
extension DocumentDecoder {
  /// Looks at scheme and authority as far as they are no expression. Without both there is nothing to say.
  func checkAuthority(_ url: URLTemplate) {
    // Most URLs are paths.
    guard case .literal(let start)? = url.pieces.first, start.utf8.first != UInt8(ascii: "/"), let mark = start.firstRange(of: "://") else {
      return
    }
    let scheme = start[..<mark.lowerBound].lowercased()
    guard URLJoining.isAbsolute(start) else { return }
    guard scheme == "http" || scheme == "https" else {
      let isSocket = scheme == "ws" || scheme == "wss"
      report(
        .badURL, "nothing can be sent to a `\(scheme)` URL: only `http` and `https` are", at: url.range,
        help: isSocket ? "WebSockets are not part of the language" : nil)
      return
    }
    let rest = start[mark.upperBound...]
    let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" }
    // What an expression may still add to.
    guard end != nil || url.pieces.count == 1 else { return }
    var authority = rest[..<(end ?? rest.endIndex)]
    if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
    var host = authority
    var port: Substring?
    if !authority.hasPrefix("["), let colon = authority.lastIndex(of: ":") {
      host = authority[..<colon]
      port = authority[authority.index(after: colon)...]
    } else if let bracket = authority.lastIndex(of: "]"), authority[bracket...].hasPrefix("]:") {
      port = authority[bracket...].dropFirst(2)
    }
    if host.isEmpty {
      report(.badURL, "the URL has no host", at: url.range)
    } else if host.contains("%") {
      report(.badURL, "a host can't be percent-encoded: `\(Words.excerpt(String(host)))`", at: url.range)
    } else if let port, !port.isEmpty, Int(port).map({ !(1...65_535).contains($0) }) ?? true {
      report(.badURL, "`\(Words.excerpt(String(port)))` is no port", at: url.range, help: "a port is a number from 1 to 65535")
    }
  }

  /// How a whole URL would begin that lacks something of its beginning: one slash of two, or the scheme.
  static func wholeURL(_ text: String) -> String {
    for scheme in ["https", "http"] where text.lowercased().hasPrefix("\(scheme):") {
      return "\(scheme)://\(text.dropFirst(scheme.count + 1).drop { $0 == "/" })"
    }
    let isHere = ["localhost", "127.", "[::1]"].contains { text.hasPrefix($0) }
    return "\(isHere ? "http" : "https")://\(text)"
  }
}

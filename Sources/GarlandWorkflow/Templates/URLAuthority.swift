/// Checks the scheme, host and port at the beginning of a URL ([RFC 3986, section 3](https://www.rfc-editor.org/rfc/rfc3986#section-3)).
package enum URLAuthority {
  /// Checks the scheme and authority of a URL. Returns a message about a mistake, and possibly advice; nil if there is no mistake.
  ///
  /// - Parameters:
  ///   - start: the beginning of the URL, including its scheme.
  ///   - isWhole: whether `start` is the whole URL. If false, the host may continue after `start`, so that the end of the host is unknown.
  package static func problem(of start: String, isWhole: Bool) -> (message: String, help: String?)? {
    guard let colon = start.firstIndex(of: ":") else { return nil }
    let scheme = start[..<colon].lowercased()
    guard scheme == "http" || scheme == "https" else {
      let isSocket = scheme == "ws" || scheme == "wss"
      return (
        "no request can be sent to a `\(Words.excerpt(scheme))` URL: only `http` and `https` are supported",
        isSocket
          ? "a step opens a WebSocket connection by `websocket: \(Words.excerpt(start))`"
          : OtherScheme(of: start) == nil ? nil : "`get` and `head` of a step read a `\(scheme)` URL"
      )
    }
    return problem(ofHostIn: start, isWhole: isWhole)
  }

  /// Checks the host and port of a URL, but not its scheme. Returns a message about a mistake, and possibly advice; nil if there is no
  /// mistake.
  ///
  /// - Parameters:
  ///   - start: the beginning of the URL.
  ///   - isWhole: whether `start` is the whole URL.
  static func problem(ofHostIn start: String, isWhole: Bool) -> (message: String, help: String?)? {
    guard let colon = start.firstIndex(of: ":") else { return nil }
    let rest = start[colon...].dropFirst(3)
    let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" }
    guard end != nil || isWhole else { return nil }
    let authority = rest[..<(end ?? rest.endIndex)]
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    let name: Substring
    let port: Substring?
    if host.hasPrefix("["), let close = host.firstIndex(of: "]") {
      name = host[...close]
      let behind = host[host.index(after: close)...]
      port = behind.hasPrefix(":") ? behind.dropFirst() : nil
    } else {
      let colon = host.lastIndex(of: ":")
      name = colon.map { host[..<$0] } ?? host
      port = colon.map { host[host.index(after: $0)...] }
    }
    if name.isEmpty { return ("the URL has no host", nil) }
    if name.contains("%") { return ("a host name can't be percent-encoded: `\(Words.excerpt(String(name)))`", nil) }
    if let port, !port.isEmpty, !(UInt16(port).map { $0 > 0 } ?? false) {
      return ("`\(Words.excerpt(String(port)))` is not a valid port", "a port is a number from 1 to 65535")
    }
    return nil
  }
}

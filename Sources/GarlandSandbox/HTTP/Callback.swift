/// A request that the sandbox itself sends, like the sender of a webhook.
struct Callback: Sendable {
  var target: CallbackTarget
  var method = "POST"
  var headers: [HeaderField] = []
  var body: [UInt8] = []

  /// Whether the callback request is valid: no part of it, such as a header field, contains a line break or could be read as another part
  /// of the request.
  var isSound: Bool {
    func isToken(_ text: String) -> Bool {
      !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
    }
    return isToken(method) && headers.allSatisfy { isToken($0.name) && !$0.value.utf8.contains { $0 < 0x20 && $0 != UInt8(ascii: "\t") } }
  }

  /// The bytes of the request as they are sent.
  var bytes: [UInt8] {
    var text = "\(method) \(target.path) HTTP/1.1\r\nHost: \(target.authority)\r\nUser-Agent: garland-sandbox\r\nConnection: close\r\n"
    for header in headers { text += "\(header.name): \(header.value)\r\n" }
    if !body.isEmpty || method == "POST" || method == "PUT" { text += "Content-Length: \(body.count)\r\n" }
    return Array(text.utf8) + Array("\r\n".utf8) + body
  }
}

/// The target of a ``Callback``, which must be on this machine.
struct CallbackTarget: Sendable {
  let authority: String
  let port: Int
  /// The path and the query of the URL.
  let path: String

  init?(_ url: String) {
    guard url.lowercased().hasPrefix("http://"), url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    let rest = url.dropFirst(7).prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, ["127.0.0.1", "localhost"].contains(parts[0].lowercased()), let port = UInt16(parts[1]), port > 0 else {
      return nil
    }
    self.authority = String(authority)
    self.port = Int(port)
    let path = rest.dropFirst(authority.count)
    self.path = path.hasPrefix("/") ? String(path) : "/" + path
  }
}

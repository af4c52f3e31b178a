import GarlandText

/// A request that a route's handler receives, with its header fields and a summary of its body.
struct SandboxRequest: Sendable {
  /// The request's number among the recorded requests; 0 if it is not recorded.
  var sequence: Int
  let method: String
  let target: String
  let version: String
  let headers: [HeaderField]
  let connection: ConnectionInfo
  /// The time of arrival on the sandbox's clock.
  let arrived: Duration
  /// The path as received, without the query.
  let path: String
  /// The query as received: the text after the first `?`; nil if the request target has no `?`.
  let rawQuery: String?
  let query: FormPairs
  /// The path's segments, percent-decoded.
  let segments: [String]
  /// The values of the route's placeholders.
  var parameters: [String: String] = [:]
  var body = ReceivedBody()
  /// Whether `100 Continue` was sent, so that the client sends its body.
  var wasContinued = false

  init(
    sequence: Int, method: String, target: String, version: String, headers: [HeaderField], connection: ConnectionInfo, arrived: Duration
  ) {
    self.sequence = sequence
    self.method = method
    self.target = target
    self.version = version
    self.headers = headers
    self.connection = connection
    self.arrived = arrived
    var local = Substring(target)
    // The absolute form, as sent to proxies (RFC 9112 section 3.2.2): the path begins at the first slash after the authority.
    if !local.hasPrefix("/"), let scheme = local.utf8Range(of: "://") {
      let authority = local[scheme.upperBound...]
      local = authority.firstIndex { $0 == "/" || $0 == "?" }.map { authority[$0...] } ?? "/"
    }
    let question = local.firstIndex(of: "?")
    let path = question.map { local[..<$0] } ?? local
    self.path = path.isEmpty ? "/" : String(path)
    rawQuery = question.map { String(local[local.index(after: $0)...]) }
    query = FormPairs(rawQuery ?? "")
    segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { PercentEncoding.text(decoding: $0) }
  }

  /// The scheme, host and port under which the client addressed the sandbox. It is the base of absolute URLs in responses.
  var origin: String { "http://\(headers.first("Host") ?? "127.0.0.1:\(connection.localPort)")" }

  var tenant: String? { headers.first(SandboxRequest.tenantField) }

  static let tenantField = "X-Sandbox-Tenant"

  /// The media type of the body; nil if the request states none.
  var contentType: MediaType? { headers.first("Content-Type").map { MediaType($0) } }

  /// Whether the header shows that a body follows.
  var announcesBody: Bool {
    if headers.contains("Transfer-Encoding") { return true }
    guard let length = headers.first("Content-Length") else { return false }
    return length != "0"
  }

  /// Whether the client waits for `100 Continue` before it sends its body (RFC 9110, section 10.1.1).
  var expectsContinue: Bool { version != "1.0" && (headers.first("Expect").map { $0.equalsIgnoringCase("100-continue") } ?? false) }

  /// The cookies in order, with their values as received.
  var cookies: [(name: String, value: String)] {
    headers.all("Cookie").flatMap { $0.list(separatedBy: ";") }.compactMap { pair in
      guard let equals = pair.firstIndex(of: "=") else { return nil }
      return (String(pair[..<equals].withoutBlanks), String(pair[pair.index(after: equals)...].withoutBlanks))
    }
  }
}

extension Substring {
  fileprivate func utf8Range(of needle: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(needle) { return start..<index(start, offsetBy: needle.count) }
      formIndex(after: &start)
    }
    return nil
  }
}

/// The client's address and other facts about the connection of a request.
struct ConnectionInfo: Hashable, Sendable {
  /// The number of the connection, from 1, in the order of acceptance.
  let id: Int
  let localPort: Int
  let peerAddress: String
  let peerPort: Int
  /// The number of the request on its connection, from 1.
  var requestNumber = 0
}

/// Names and values in order, from a query or from a body of the type application/x-www-form-urlencoded.
struct FormPairs: Sendable {
  let pairs: [(name: String, value: String)]

  /// Parses the syntax of the URL standard's urlencoded parser: `&` is the separator, `+` is a space, and a name without `=` has an empty
  /// value.
  init(_ text: some StringProtocol) {
    pairs = text.split(separator: "&").map { pair in
      guard let equals = pair.firstIndex(of: "=") else { return (PercentEncoding.text(decoding: pair, plusIsSpace: true), "") }
      return (
        PercentEncoding.text(decoding: pair[..<equals], plusIsSpace: true),
        PercentEncoding.text(decoding: pair[pair.index(after: equals)...], plusIsSpace: true)
      )
    }
  }

  /// The first value with the given name; nil if no pair has this name.
  subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// Returns all values with the given name, in order.
  func all(_ name: String) -> [String] { pairs.lazy.filter { $0.name == name }.map(\.value) }
}

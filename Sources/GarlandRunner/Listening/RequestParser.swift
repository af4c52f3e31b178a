import GarlandText

/// Parses a single HTTP/1.1 request (RFC 9112). The bytes may arrive in pieces of any size. The parser itself has no I/O: the owner of the
/// socket performs the actions that the parser returns.
///
/// Ambiguous requests are rejected: a request with a space before the colon of a field, with a folded line, with different values of
/// `Content-Length`, or with both `Content-Length` and `Transfer-Encoding`.
package struct RequestParser: Sendable {
  /// The limits above which a request is rejected.
  package struct Limits: Sendable {
    /// The maximum number of bytes in the request line and the header fields together. The same limit applies to the lines between the
    /// chunks of a body.
    package var head = 64 << 10
    /// The maximum number of bytes in the body of a request.
    package var body = ListenServer.defaultBodyLimit
    package init() {}
  }

  /// An action that the parser asks the owner of the socket to carry out.
  package enum Action: Sendable, Equatable {
    /// Sends `100 Continue`, for which the client waits before it sends the body.
    case proceed
    /// Passes the complete request on to the run.
    case received(IncomingRequest)
    /// Rejects the received bytes, because they are an invalid or unsupported request. The associated values are the status of the
    /// response, and the reason as a sentence without a full stop.
    case refuse(status: Int, reason: String)
  }

  private enum State: Equatable {
    case line, fields
    case body(left: Int)
    case chunkSize
    case chunk(left: Int)
    case chunkEnd, trailers, ended
  }

  private let limits: Limits
  private var state = State.line
  private var line: [UInt8] = []
  private var headSize = 0
  private var request = IncomingRequest(method: "", target: "", version: "1.1")

  package init(limits: Limits = Limits()) { self.limits = limits }

  /// Whether no bytes have arrived yet.
  package var isUntouched: Bool { state == .line && headSize == 0 && line.isEmpty }

  /// Parses bytes, and returns the resulting actions. Bytes after the end of the request are dropped, since a connection has only one
  /// request.
  package mutating func receive(_ bytes: some RandomAccessCollection<UInt8>) -> [Action] {
    var actions: [Action] = []
    var position = bytes.startIndex
    while position < bytes.endIndex, state != .ended {
      switch state {
      case .body(let left), .chunk(let left):
        let end = bytes.index(position, offsetBy: left, limitedBy: bytes.endIndex) ?? bytes.endIndex
        request.body.append(contentsOf: bytes[position..<end])
        let rest = left - bytes.distance(from: position, to: end)
        position = end
        if case .body = state {
          rest == 0 ? finish(&actions) : (state = .body(left: rest))
        } else {
          state = rest == 0 ? .chunkEnd : .chunk(left: rest)
        }
      default:
        let byte = bytes[position]
        position = bytes.index(after: position)
        headSize += 1
        guard headSize <= limits.head else {
          let status = state == .line || state == .fields ? 431 : 400
          refuse(status, "its header has more than \(limits.head) bytes", &actions)
          continue
        }
        guard byte == UInt8(ascii: "\n") else {
          line.append(byte)
          continue
        }
        // RFC 9112, section 2.2, allows a line feed alone as the end of a line.
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        let complete = line
        line.removeAll(keepingCapacity: true)
        take(complete, &actions)
      }
    }
    return actions
  }

  /// Records that the client has closed its side of the connection. Returns the action that rejects an incomplete request; nil if no
  /// request is incomplete.
  package mutating func close() -> Action? {
    guard state != .ended, !isUntouched else { return nil }
    state = .ended
    return .refuse(status: 400, reason: "the connection was closed before the whole request arrived")
  }

  private mutating func refuse(_ status: Int, _ reason: String, _ actions: inout [Action]) {
    state = .ended
    actions.append(.refuse(status: status, reason: reason))
  }

  private mutating func finish(_ actions: inout [Action]) {
    state = .ended
    actions.append(.received(request))
  }

  // MARK: Lines

  private mutating func take(_ line: [UInt8], _ actions: inout [Action]) {
    guard !line.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\r") }) else {
      return refuse(400, "a line of its header has a control character", &actions)
    }
    switch state {
    case .line:
      // RFC 9112, section 2.2: a server ignores empty lines before the request.
      if !line.isEmpty { takeRequestLine(line, &actions) }
    case .fields: if line.isEmpty { endHead(&actions) } else { takeField(line, &actions) }
    case .chunkSize: takeChunkSize(line, &actions)
    case .chunkEnd: if line.isEmpty { state = .chunkSize } else { refuse(400, "a chunk is longer than its announced length", &actions) }
    case .trailers: if line.isEmpty { finish(&actions) }
    case .body, .chunk, .ended: break
    }
  }

  private mutating func takeRequestLine(_ line: [UInt8], _ actions: inout [Action]) {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3, HTTPToken.isToken(parts[0]), let version = HTTPSyntax.version(parts[2]) else {
      return refuse(400, "its first line is not the request line of HTTP/1.1", &actions)
    }
    guard version.major == 1 else { return refuse(505, "its version is HTTP/\(version.major), but only HTTP/1.1 is supported", &actions) }
    guard let target = HTTPSyntax.originForm(parts[1]) else { return refuse(400, "its target is not a path", &actions) }
    request.method = String(decoding: parts[0], as: UTF8.self)
    request.target = target
    request.version = version.minor == 0 ? "1.0" : "1.1"
    state = .fields
  }

  private mutating func takeField(_ line: [UInt8], _ actions: inout [Action]) {
    // RFC 9112, section 5.2: a server must reject a folded line, or replace the fold.
    guard line.first != UInt8(ascii: " "), line.first != UInt8(ascii: "\t"), let colon = line.firstIndex(of: UInt8(ascii: ":")),
      HTTPToken.isToken(line[..<colon])
    else { return refuse(400, "a line of its header is not a header field", &actions) }
    request.fields.append(
      .init(
        name: String(decoding: line[..<colon], as: UTF8.self),
        value: String(decoding: HTTPSyntax.trimmed(line[(colon + 1)...]), as: UTF8.self)))
  }

  private mutating func endHead(_ actions: inout [Action]) {
    // RFC 9112, section 3.2.
    let hosts = request.values(of: "Host")
    if hosts.count > 1 || (request.version == "1.1" && hosts.isEmpty) {
      return refuse(400, hosts.isEmpty ? "it has no `Host`" : "it has several `Host` fields", &actions)
    }
    // An empty member is not a valid number either.
    let lengths = request.values(of: "Content-Length").flatMap {
      $0.split(separator: ",", omittingEmptySubsequences: false).map { String($0.withoutBlanks) }
    }
    let codings = request.values(of: "Transfer-Encoding").flatMap { $0.split(separator: ",").map { $0.withoutBlanks.lowercased() } }
    // RFC 9112, section 6.3: a length together with chunks may be an attempt to smuggle a request.
    guard codings.isEmpty || lengths.isEmpty else { return refuse(400, "it has both `Content-Length` and `Transfer-Encoding`", &actions) }
    if !codings.isEmpty {
      guard codings == ["chunked"] else { return refuse(501, "its `Transfer-Encoding` is not `chunked`", &actions) }
      state = .chunkSize
    } else if let length = lengths.first {
      guard lengths.allSatisfy({ $0 == length }), let count = HTTPSyntax.number(length) else {
        return refuse(400, "its `Content-Length` is not a number", &actions)
      }
      guard count <= limits.body else { return refuseBody(&actions) }
      guard count > 0 else { return finish(&actions) }
      request.body.reserveCapacity(min(count, 1 << 20))
      state = .body(left: count)
    } else {
      return finish(&actions)
    }
    headSize = 0
    for expectation in request.values(of: "Expect") {
      guard expectation.lowercased() == "100-continue" else { return refuse(417, "it expects `\(expectation)`", &actions) }
      if request.version == "1.1" { actions.append(.proceed) }
      break
    }
  }

  private mutating func refuseBody(_ actions: inout [Action]) {
    refuse(413, "its body has more than \(limits.body) bytes", &actions)
  }

  private mutating func takeChunkSize(_ line: [UInt8], _ actions: inout [Action]) {
    let digits = HTTPSyntax.trimmed(line.prefix { $0 != UInt8(ascii: ";") })
    guard let size = HTTPSyntax.number(digits, radix: 16) else { return refuse(400, "a chunk has no valid length", &actions) }
    guard size <= limits.body - request.body.count else { return refuseBody(&actions) }
    // The lines between the chunks of a long body do not count as one header section.
    headSize = 0
    state = size == 0 ? .trailers : .chunk(left: size)
  }
}

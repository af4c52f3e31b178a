import HTTPTypes

/// The head of a response as its lines come in, and the trailer if there is one.
struct ResponseHead {
  private(set) var status = 0
  private(set) var reason = ""
  private(set) var version = HTTPVersion.http1_1
  /// The fields, once the head is complete.
  private(set) var received = ReceivedFields.none
  private var collected = FieldCollector()
  private(set) var trailers = HTTPFields()
  private(set) var isComplete = false
  private(set) var isEmpty = true
  private(set) var byteCount = 0
  private(set) var fieldCount = 0
  /// Whether a part of the body has come: after that there is no other head, only a trailer. Before, libcurl may have answered a 401 or 417
  /// by itself.
  var hasBody = false
  /// What the fields announce, once the head is complete.
  private(set) var contentLength: Int64?

  init() {}

  /// The head of what is no HTTP: it is there, so its status is 200.
  init(fields: HTTPFields, version: HTTPVersion) {
    status = 200
    reason = "OK"
    self.version = version
    received = ReceivedFields(fields)
    isEmpty = false
    isComplete = true
    contentLength = received.number("content-length")
  }

  /// That of a stored response.
  init(_ stored: StoredHead) {
    status = stored.status
    reason = stored.reason
    version = stored.version
    received = ReceivedFields(stored.fields)
    isComplete = true
    isEmpty = false
    contentLength = received.number("content-length")
  }

  /// All fields. To look for one that is most likely not there, ask ``received``.
  var fields: HTTPFields { received.fields }

  /// The status as HTTPTypes has it.
  var httpStatus: HTTPResponse.Status {
    reason.isEmpty ? HTTPResponse.Status(code: status) : HTTPResponse.Status(code: status, reasonPhrase: reason)
  }

  /// What a line was.
  enum Line {
    case more
    /// The empty line after a head with status 1xx, which another head follows.
    case interimEnd
    /// The empty line after the head.
    case end
  }

  /// Takes a line with its line break.
  mutating func take(_ line: UnsafeRawBufferPointer) throws(NetworkingError) -> Line {
    byteCount += line.count
    var count = line.count
    while count > 0, line[count - 1] == UInt8(ascii: "\n") || line[count - 1] == UInt8(ascii: "\r") { count -= 1 }
    let line = UnsafeRawBufferPointer(rebasing: line[..<count])
    if count == 0 { return endOfHead() }
    if !hasBody, count > 4, line[0] == UInt8(ascii: "H"), line[4] == UInt8(ascii: "/"), line.starts(with: "HTTP/".utf8) {
      try takeStatusLine(line)
      return .more
    }
    guard !isEmpty else { throw NetworkingError(.invalidResponse(detail: "no status line")) }
    takeField(line)
    return .more
  }

  private mutating func endOfHead() -> Line {
    if isComplete { return .more }
    if (100..<200).contains(status), status != 101 {
      let bytes = byteCount
      self = ResponseHead()
      byteCount = bytes
      return .interimEnd
    }
    isComplete = true
    received = collected.finish()
    collected = FieldCollector()
    contentLength = received.number("content-length")
    return .end
  }

  /// A part that completes what is there is told as the whole (RFC 9110, section 15.3.7.3).
  mutating func becomeWhole(length: Int64) {
    status = 200
    reason = "OK"
    var fields = received.fields
    fields[.contentRange] = nil
    fields[.contentLength] = String(length)
    received = ReceivedFields(fields)
    contentLength = length
  }

  /// `HTTP/1.1 200 OK`.
  private mutating func takeStatusLine(_ line: UnsafeRawBufferPointer) throws(NetworkingError) {
    let bytes = byteCount
    self = ResponseHead()
    byteCount = bytes
    isEmpty = false
    guard let space = line.firstIndex(of: UInt8(ascii: " ")) else {
      throw NetworkingError(.invalidResponse(detail: "a status line without a status"))
    }
    version =
      switch line[5] {
      case UInt8(ascii: "2"): .http2
      case UInt8(ascii: "3"): .http3
      default: space > 7 && line[7] == UInt8(ascii: "0") ? .http1_0 : .http1_1
      }
    var index = space + 1
    var code = 0
    var digits = 0
    while index < line.count, digits < 4, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(line[index]) {
      code = code * 10 + Int(line[index] - UInt8(ascii: "0"))
      digits += 1
      index += 1
    }
    guard digits == 3, code >= 100, index == line.count || line[index] == UInt8(ascii: " ") else {
      throw NetworkingError(.invalidResponse(detail: "a status line without a three-digit status"))
    }
    status = code
    if index + 1 < line.count { reason = String(decoding: UnsafeRawBufferPointer(rebasing: line[(index + 1)...]), as: UTF8.self) }
  }

  private mutating func takeField(_ line: UnsafeRawBufferPointer) {
    // An obsolete line folding continues the field before it (RFC 9112, section 5.2).
    if line[0] == UInt8(ascii: " ") || line[0] == UInt8(ascii: "\t") {
      continueField(line)
      return
    }
    // A line without a colon, or whose name is no token, is no field; RFC 9112 lets a client ignore it.
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let name = UnsafeRawBufferPointer(rebasing: line[..<colon])
    guard FieldCollector.isToken(name) else { return }
    fieldCount += 1
    guard fieldCount < 60_000 else { return }
    let value = trimmed(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
    guard isComplete else {
      collected.append(name, value)
      return
    }
    if let name = FieldNames.name(name) { trailers.append(HTTPField(name: name, value: value)) }
  }

  private mutating func continueField(_ line: UnsafeRawBufferPointer) {
    guard isComplete else {
      collected.continueLast(with: trimmed(line))
      return
    }
    guard let last = trailers.indices.last else { return }
    let more = String(decoding: trimmed(line), as: UTF8.self)
    trailers[last] = HTTPField(name: trailers[last].name, value: trailers[last].value + " " + more)
  }

  private func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var start = 0
    var end = bytes.count
    while start < end, bytes[start] == UInt8(ascii: " ") || bytes[start] == UInt8(ascii: "\t") { start += 1 }
    while end > start, bytes[end - 1] == UInt8(ascii: " ") || bytes[end - 1] == UInt8(ascii: "\t") { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
  }
}

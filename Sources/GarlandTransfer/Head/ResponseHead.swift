import GarlandText
import HTTPTypes

/// An error for lines that are not a valid response head.
struct InvalidHead: Error {
  let detail: String
}

/// The head of a response, built line by line, and its trailer if there is one.
struct ResponseHead {
  private(set) var status = 0
  private(set) var reason = ""
  private(set) var version = HTTPVersion.http1_1
  /// The header fields; empty until the head is complete.
  private(set) var received = ReceivedFields.none
  private var collected = FieldCollector()
  private(set) var trailers = HTTPFields()
  private(set) var isComplete = false
  private(set) var isEmpty = true
  private(set) var byteCount = 0
  private(set) var fieldCount = 0
  /// Whether a part of the body has arrived. From then on, further header lines belong to a trailer. Before, they may also belong to the
  /// head of another response, because libcurl sends some requests again by itself after status 401 or 417.
  var hasBody = false
  /// The announced length of the body. Nil until the head is complete. Also nil for a chunked body, and if no valid length is announced.
  private(set) var contentLength: Int64?
  /// The mistake in the header that makes the end of the body unknown, such as an invalid `Content-Length`; nil if there is none. The
  /// caller ignores the mistake if the response cannot have a body.
  private(set) var lengthProblem: String?

  init() {}

  /// Creates the head of a response that did not use HTTP. Its status is 200, since the resource exists.
  init(fields: HTTPFields, version: HTTPVersion) { self.init(status: 200, reason: "OK", fields: fields, version: version) }

  /// Creates a complete head from its parts, instead of reading the head line by line.
  init(status: Int, reason: String, fields: HTTPFields, version: HTTPVersion) {
    self.status = status
    self.reason = reason
    self.version = version
    received = ReceivedFields(fields)
    isComplete = true
    isEmpty = false
    takeLength()
  }

  /// All fields. To look up a field that is probably missing, ``received`` is faster.
  var fields: HTTPFields { received.fields }

  /// The status as an HTTPTypes value.
  var httpStatus: HTTPResponse.Status {
    reason.isEmpty ? HTTPResponse.Status(code: status) : HTTPResponse.Status(code: status, reasonPhrase: reason)
  }

  /// The meaning of a line for the response head: the head continues, the head ends, or an interim head ends and another head follows.
  enum Line {
    case more
    /// The empty line after a head with status 1xx. Another head follows.
    case interimEnd
    /// The empty line at the end of the head.
    case end
  }

  /// Parses a line of a response head, including its line break. Returns whether the line ends the head, and whether another head follows.
  mutating func take(_ line: UnsafeRawBufferPointer) throws(InvalidHead) -> Line {
    byteCount += line.count
    var count = line.count
    while count > 0, line[count - 1] == UInt8(ascii: "\n") || line[count - 1] == UInt8(ascii: "\r") { count -= 1 }
    let line = UnsafeRawBufferPointer(rebasing: line[..<count])
    if count == 0 { return endOfHead() }
    if !hasBody, count > 4, line[0] == UInt8(ascii: "H"), line[1] == UInt8(ascii: "T"), line[2] == UInt8(ascii: "T"),
      line[3] == UInt8(ascii: "P"), line[4] == UInt8(ascii: "/")
    {
      try takeStatusLine(line)
      return .more
    }
    guard !isEmpty else { throw InvalidHead(detail: "no status line") }
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
    takeLength()
    return .end
  }

  /// Sets the length of the body. A chunked body has no length: it ends with its last chunk, regardless of
  /// `Content-Length` (RFC 9112, section 6.3).
  private mutating func takeLength() {
    switch received.announcedLength {
    case .unknown: break
    case .bytes(let count): if !received.contains("transfer-encoding") { contentLength = count }
    case .invalid(let words): if !received.contains("transfer-encoding") { lengthProblem = words }
    }
  }

  /// Changes this head as if the server had sent the whole resource, of `length` bytes, with status 200 (RFC 9110, section 15.3.7.3). The
  /// received response either contained the missing bytes of a partial download, or confirmed that the partial download is already
  /// complete.
  mutating func becomeWhole(length: Int64) {
    status = 200
    reason = "OK"
    var fields = received.fields
    fields[.contentRange] = nil
    fields[.contentLength] = String(length)
    received = ReceivedFields(fields)
    contentLength = length
  }

  /// Parses a line such as `HTTP/1.1 200 OK`.
  private mutating func takeStatusLine(_ line: UnsafeRawBufferPointer) throws(InvalidHead) {
    if !isEmpty {
      let bytes = byteCount
      self = ResponseHead()
      byteCount = bytes
    }
    isEmpty = false
    var space = 0
    while space < line.count, line[space] != UInt8(ascii: " ") { space += 1 }
    guard space < line.count else {
      throw InvalidHead(detail: "a status line without a status")
    }
    version =
      switch line[5] {
      case UInt8(ascii: "2") where space > 5: .http2
      case UInt8(ascii: "3") where space > 5: .http3
      default: space > 7 && line[7] == UInt8(ascii: "0") ? .http1_0 : .http1_1
      }
    var index = space + 1
    var code = 0
    var digits = 0
    while index < line.count, digits < 4, line[index] >= UInt8(ascii: "0"), line[index] <= UInt8(ascii: "9") {
      code = code * 10 + Int(line[index] - UInt8(ascii: "0"))
      digits += 1
      index += 1
    }
    guard digits == 3, code >= 100, index == line.count || line[index] == UInt8(ascii: " ") else {
      throw InvalidHead(detail: "a status line without a three-digit status")
    }
    status = code
    let words = index + 1
    guard words < line.count else { return }
    if line.count == words + 2, line[words] == UInt8(ascii: "O"), line[words + 1] == UInt8(ascii: "K") {
      reason = "OK"
    } else {
      reason = String(decoding: UnsafeRawBufferPointer(rebasing: line[words...]), as: UTF8.self)
    }
  }

  private mutating func takeField(_ line: UnsafeRawBufferPointer) {
    // An obsolete line folding continues the previous field (RFC 9112, section 5.2).
    if line[0] == UInt8(ascii: " ") || line[0] == UInt8(ascii: "\t") {
      continueField(line)
      return
    }
    // A line without a colon, or with a name that is no token, is not a field; RFC 9112 lets a
    // client ignore it.
    var colon = 0
    while colon < line.count, HTTPToken.contains(line[colon]) { colon += 1 }
    guard colon > 0, colon < line.count, line[colon] == UInt8(ascii: ":") else { return }
    fieldCount += 1
    guard fieldCount < 60_000 else { return }
    let value = trimmed(line, from: colon + 1)
    guard isComplete else {
      collected.append(line, nameEnd: colon, value: value)
      return
    }
    if let name = FieldNames.name(UnsafeRawBufferPointer(rebasing: line[..<colon])) {
      trailers.append(HTTPField(name: name, value: UnsafeRawBufferPointer(rebasing: line[value])))
    }
  }

  private mutating func continueField(_ line: UnsafeRawBufferPointer) {
    guard isComplete else {
      collected.continueLast(with: UnsafeRawBufferPointer(rebasing: line[trimmed(line, from: 0)]))
      return
    }
    guard let last = trailers.indices.last else { return }
    let more = String(decoding: UnsafeRawBufferPointer(rebasing: line[trimmed(line, from: 0)]), as: UTF8.self)
    trailers[last] = HTTPField(name: trailers[last].name, value: trailers[last].value + " " + more)
  }

  /// Returns the range of the bytes from the index `first` to the end, without surrounding white space.
  private func trimmed(_ bytes: UnsafeRawBufferPointer, from first: Int) -> Range<Int> {
    var start = first
    var end = bytes.count
    while start < end, bytes[start] == UInt8(ascii: " ") || bytes[start] == UInt8(ascii: "\t") { start += 1 }
    while end > start, bytes[end - 1] == UInt8(ascii: " ") || bytes[end - 1] == UInt8(ascii: "\t") { end -= 1 }
    return start..<end
  }
}

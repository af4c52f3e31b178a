/// The body of a request as it is sent.
struct RequestContent {
  var reader: (any BodyReader)?
  /// The number of bytes; nil if unknown or without a body.
  var length: Int64?
  /// The body as sent, if it is in memory.
  var bytes: [UInt8]?
  /// The result of a pass over the body.
  private(set) var facts: PayloadPass.Facts?
  var sent: Int64 = 0
  /// Whether the body may wait for permission. False after a server refused the expectation: the
  /// body is then sent without asking.
  var mayExpect = true

  /// The size from which libcurl asks for permission by itself.
  private static let expectedFrom: Int64 = 1 << 20

  /// Whether a part of the body was not sent.
  var isUnfinished: Bool { length.map { sent < $0 } ?? false }

  /// Takes the result of a pass over the body.
  mutating func take(_ found: PayloadPass.Facts) {
    var found = found
    if let facts { found.digests.merge(facts.digests) { new, _ in new } }
    facts = found
    length = found.length
  }

  /// Fills a part of `buffer`. A body that is longer or shorter than announced fails.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyReadOutcome {
    guard let reader else { return .end }
    let outcome = reader.read(into: buffer)
    switch outcome {
    case .bytes(let count):
      sent += Int64(count)
      if let length, sent > length { return .failed(.bodyStream(detail: "it became longer than the \(length) bytes announced")) }
    case .end:
      if let length, sent < length { return .failed(.bodyStream(detail: "it ended after \(sent) of the \(length) bytes announced")) }
    case .wait, .failed: break
    }
    return outcome
  }

  /// Starts again from the beginning. Returns false if that is impossible.
  mutating func rewind() -> Bool {
    guard let reader, reader.rewind() else { return false }
    sent = 0
    return true
  }

  /// Whether these settings ask for permission to send the body.
  func asksForLeave(_ setting: ExpectContinue) -> Bool {
    switch setting {
    case .never: false
    case .always: true
    case .automatic: length.map { $0 > Self.expectedFrom } ?? true
    }
  }

  /// Releases files and tasks.
  mutating func close() {
    reader?.close()
    reader = nil
  }
}

/// The body of a request in the form in which it is sent.
struct RequestContent {
  var reader: (any BodyReader)?
  /// The number of bytes; nil if it is unknown or there is no body.
  var length: Int64?
  /// The bytes of the body as sent; nil unless the body is in memory.
  var bytes: [UInt8]?
  /// The length and the digests of the body, if the whole body was read before it is sent; nil if the body was not read in advance.
  private(set) var facts: PayloadPass.Facts?
  var sent: Int64 = 0
  /// Whether the body may wait for the server's permission (`Expect: 100-continue`). False after a server has refused the field
  /// `Expect`: the body is then sent without waiting.
  var mayExpect = true

  /// The size in bytes above which libcurl sends `Expect: 100-continue` by itself.
  private static let expectedFrom: Int64 = 1 << 20

  /// Whether a part of the body has not been sent yet.
  var isUnfinished: Bool { length.map { sent < $0 } ?? false }

  /// Sets the length and digests that were found by reading the whole body.
  mutating func take(_ found: PayloadPass.Facts) {
    var found = found
    if let facts { found.digests.merge(facts.digests) { new, _ in new } }
    facts = found
    length = found.length
  }

  /// Fills a part of `buffer` with the next bytes. Fails if the body is longer or shorter than announced.
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

  /// Sets the read position to the beginning of the body. Returns false if that is impossible.
  mutating func rewind() -> Bool {
    guard let reader, reader.rewind() else { return false }
    sent = 0
    return true
  }

  /// Returns whether the request waits for the server's permission (`Expect: 100-continue`) before it sends the body. With the setting
  /// `automatic`, this depends on the size of the body.
  func asksForLeave(_ setting: ExpectContinue) -> Bool {
    switch setting {
    case .never: false
    case .always: true
    case .automatic: length.map { $0 > Self.expectedFrom } ?? true
    }
  }

  /// Releases the files and tasks that the body uses.
  mutating func close() {
    reader?.close()
    reader = nil
  }
}

/// The body of a request on its way.
struct RequestContent {
  var reader: (any BodyReader)?
  /// How many bytes there are; nil if that is not known, or there is no body.
  var length: Int64?
  /// The body as it is sent, where it is in memory.
  var bytes: [UInt8]?
  /// What a pass over the body has found.
  private(set) var facts: PayloadPass.Facts?
  var sent: Int64 = 0
  /// False once a server has refused to say whether the body may be sent: it is sent without asking then.
  var mayExpect = true

  /// libcurl asks for leave by itself from here on.
  private static let expectedFrom: Int64 = 1 << 20

  /// Whether less was sent than there is.
  var isUnfinished: Bool { length.map { sent < $0 } ?? false }

  /// Takes what a pass over the body has found.
  mutating func take(_ found: PayloadPass.Facts) {
    var found = found
    if let facts { found.digests.merge(facts.digests) { new, _ in new } }
    facts = found
    length = found.length
  }

  /// Fills some of `buffer`. A body that turns out longer or shorter than announced has failed.
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

  /// Begins anew. False if that can't be.
  mutating func rewind() -> Bool {
    guard let reader, reader.rewind() else { return false }
    sent = 0
    return true
  }

  /// Whether leave to send it is asked for, by these settings.
  func asksForLeave(_ setting: ExpectContinue) -> Bool {
    switch setting {
    case .never: false
    case .always: true
    case .automatic: length.map { $0 > Self.expectedFrom } ?? true
    }
  }

  /// Lets go of files and tasks.
  mutating func close() {
    reader?.close()
    reader = nil
  }
}

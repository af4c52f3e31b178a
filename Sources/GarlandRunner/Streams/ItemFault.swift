import GarlandTransfer

/// The reason why bytes are not valid items of a stream.
struct ItemFault: Error {
  /// The part of the stream that the error message is about.
  enum Subject {
    /// All items of the stream.
    case items
    /// The last item that has arrived.
    case lastItem
    /// The item that had arrived only in part when the fault was found.
    case nextItem
  }

  let subject: Subject
  /// The error message without its subject, such as `has no end within 1000 bytes`. The complete message begins with the words for the
  /// ``subject``.
  let message: String
  var advice: String?
  /// The limit in bytes that an item exceeds; nil if the fault has a different cause.
  var exceededLimit: Int?

  init(_ subject: Subject, _ message: String) {
    self.subject = subject
    self.message = message
  }

  /// Creates the fault for an item that is longer than the limit.
  init(_ error: StreamItemTooLong, itemName: String) {
    self.init(.nextItem, "has no end within \(Shown.count(error.limit, "byte"))")
    advice = "`max_body` limits the size of each \(itemName)"
    exceededLimit = error.limit
  }

  init(_ fault: PartStreamDecoder.Fault) {
    switch fault {
    case .headTooLong(let limit): self.init(.nextItem, "has a header without an end within \(Shown.count(limit, "byte"))")
    case .noField(let line): self.init(.nextItem, "has a line in its header that is not a header field: \(Shown.value(.string(line)))")
    case .wrongLength(let length):
      self.init(.lastItem, "does not end after \(Shown.count(Int(length), "byte")), although its `Content-Length` is \(length)")
    }
  }
}

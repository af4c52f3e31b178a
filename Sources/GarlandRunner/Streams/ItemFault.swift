import GarlandTransfer

/// The reason why bytes are no items of a stream.
struct ItemFault: Error {
  /// The subject of the message.
  enum Subject {
    /// All items.
    case items
    /// The last item that arrived.
    case lastItem
    /// The item after it.
    case nextItem
  }

  let subject: Subject
  /// The words after the subject: `has no end within 1000 bytes`.
  let message: String
  var advice: String?

  init(_ subject: Subject, _ message: String) {
    self.subject = subject
    self.message = message
  }

  /// An item without an end.
  init(_ error: StreamItemTooLong, itemName: String) {
    self.init(.nextItem, "has no end within \(Shown.count(error.limit, "byte"))")
    advice = "`max_body` limits the size of each \(itemName)"
  }

  init(_ fault: PartStreamDecoder.Fault) {
    switch fault {
    case .headTooLong(let limit): self.init(.nextItem, "has a header without an end within \(Shown.count(limit, "byte"))")
    case .noField(let line): self.init(.nextItem, "has a line in its header that is not a header field: \(Shown.value(.string(line)))")
    case .wrongLength(let length):
      self.init(.lastItem, "does not end after its `Content-Length` of \(Shown.count(Int(length), "byte"))")
    }
  }
}

import GarlandTransfer
import GarlandWorkflow

/// Makes items of the bytes of a stream.
enum ItemSource {
  case events(EventStreamDecoder)
  case lines(LineStreamDecoder)

  init(_ format: StreamFormat, limit: Int) {
    self =
      switch format {
      case .events: .events(EventStreamDecoder(limit: limit))
      case .lines: .lines(LineStreamDecoder(limit: limit))
      }
  }

  /// Decodes a piece. `take` returns whether more items are read.
  mutating func decode(_ piece: UnsafeRawBufferPointer, _ take: (any TextItem) -> Bool) throws(StreamItemTooLong) {
    switch self {
    case .events(var decoder):
      // Removed first, so that the decoder's buffers are not copied.
      self = .lines(LineStreamDecoder(limit: 0))
      defer { self = .events(decoder) }
      _ = try decoder.decode(piece) { take(EventItem($0)) }
    case .lines(var decoder):
      self = .lines(LineStreamDecoder(limit: 0))
      defer { self = .lines(decoder) }
      _ = try decoder.decode(piece) { take(LineItem($0)) }
    }
  }

  /// Takes what the end of the stream completes.
  mutating func finish(_ take: (any TextItem) -> Bool) {
    guard case .lines(var decoder) = self else { return }
    decoder.finish { take(LineItem($0)) }
    self = .lines(decoder)
  }

  /// Begins again with a new connection.
  mutating func reconnect(limit: Int) {
    guard case .events(let decoder) = self else { return }
    self = .events(EventStreamDecoder(limit: limit, lastEventID: decoder.lastEventID, reconnectionTime: decoder.reconnectionTime))
  }

  /// The last event ID; empty if there is none.
  var lastEventID: String { if case .events(let decoder) = self { decoder.lastEventID } else { "" } }

  /// The time that the server wants a client to wait before it connects again.
  var reconnectionTime: Duration? { if case .events(let decoder) = self { decoder.reconnectionTime } else { nil } }

  /// Whether the bytes so far end in an item, which is lost if the stream ends here.
  var isInItem: Bool { if case .events(let decoder) = self { decoder.isInEvent } else { false } }
}

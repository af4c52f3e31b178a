import GarlandTransfer
import GarlandWorkflow

/// Decodes the bytes of a stream into items, such as events or lines.
enum ItemSource {
  case events(EventStreamDecoder)
  case lines(LineStreamDecoder)
  case parts(PartSource)
  /// There is no decoder yet, since the response has not arrived.
  case none

  /// Creates the decoder for the format of a stream.
  ///
  /// - Parameters:
  ///   - format: the format of the stream.
  ///   - type: the `Content-Type` of the response.
  ///   - limit: the maximum size in bytes of an item.
  ///   - last: the decoder of the previous connection. The new decoder of an event stream continues with the state of `last`, for
  ///     example the last event ID.
  init(_ format: StreamFormat, type: String?, limit: Int, after last: ItemSource) {
    switch format {
    case .events:
      self = .events(EventStreamDecoder(limit: limit, lastEventID: last.lastEventID, reconnectionTime: last.reconnectionTime))
    case .lines: self = .lines(LineStreamDecoder(limit: limit))
    case .parts: self = .parts(PartSource(type: type, limit: limit))
    // Messages are not in a body.
    case .messages: self = .none
    }
  }

  /// Decodes a piece of the stream, and passes each complete item to `take`. Returns true if further items may follow. Returns false at the
  /// end of the items, or if `take` has returned false, which ends the decoding.
  mutating func decode(_ piece: UnsafeRawBufferPointer, _ take: (any StreamItem) -> Bool) throws(ItemFault) -> Bool {
    // The value is moved out of the enumeration, so that the decoder's buffers are not copied.
    let source = self
    self = .none
    switch consume source {
    case .events(var decoder):
      defer { self = .events(decoder) }
      do throws(StreamItemTooLong) {
        return try decoder.decode(piece) { take(EventItem($0)) }
      } catch {
        throw ItemFault(error, itemName: "event")
      }
    case .lines(var decoder):
      defer { self = .lines(decoder) }
      do throws(StreamItemTooLong) {
        return try decoder.decode(piece) { take(LineItem($0)) }
      } catch {
        throw ItemFault(error, itemName: "line")
      }
    case .parts(var source):
      defer { self = .parts(source) }
      return try source.decode(piece, take)
    case .none: return false
    }
  }

  /// Ends the stream. A last line without a line feed is passed to `take`.
  mutating func finish(_ take: (any StreamItem) -> Bool) {
    guard case .lines(var decoder) = self else { return }
    decoder.finish { take(LineItem($0)) }
    self = .lines(decoder)
  }

  /// The mistake in the stream if no further bytes arrive, such as a missing last boundary; nil if the stream may end now.
  var ending: ItemFault? { if case .parts(let source) = self { source.ending } else { nil } }

  /// The last event ID; empty if the stream has none.
  var lastEventID: String { if case .events(let decoder) = self { decoder.lastEventID } else { "" } }

  /// The pause before the next connection, as requested by the server with the field `retry` of an event; nil if the server has requested
  /// no pause.
  var reconnectionTime: Duration? { if case .events(let decoder) = self { decoder.reconnectionTime } else { nil } }

  /// Whether the bytes that have arrived end in the middle of an item. If the stream ends now, this item is lost.
  var isInItem: Bool {
    switch self {
    case .events(let decoder): decoder.isInEvent
    case .parts(let source): source.isInPart
    case .lines, .none: false
    }
  }
}

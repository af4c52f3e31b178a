import GarlandJSON
import Glibc

/// Decodes an event stream piece by piece, by the parsing rules of the [HTML
/// standard](https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation).
///
/// The type uses no connection: the events depend only on the bytes, and not on the pieces in which the bytes arrive. If the stream ends
/// within an event, that event is not delivered. If the thread's current `Computation` has reached its time limit, the events that are
/// decoded after this time are incomplete.
package struct EventStreamDecoder {
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The maximum size in bytes of the current line and the current event's data together.
  private let limit: Int
  /// The beginning of a line whose end has not arrived yet.
  private var line: [UInt8] = []
  /// Whether the first line of the stream must still be read. It may begin with a byte order mark.
  private var isAtStart = true
  /// Whether the last byte was a carriage return. A line feed directly after it does not end another line.
  private var endedWithReturn = false
  private var type: [UInt8] = []
  /// The bytes of all `data` lines of the current event so far, each followed by a line feed. The HTML standard calls this the "data
  /// buffer".
  private var data: [UInt8] = []
  /// The value of the last `id` field. The HTML standard calls it the "last event ID buffer".
  private var id = ""
  /// The ID of the last complete event, even if the event had no data. The ID of an incomplete event does not count, so that the
  /// server sends the event again.
  package private(set) var lastEventID = ""
  /// The reconnection time from the last valid `retry` field; nil without such a field.
  package private(set) var reconnectionTime: Duration?

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - limit: The maximum size in bytes of the current line and the current event's data together.
  ///   - lastEventID: The last event ID of the previous connection.
  ///   - reconnectionTime: The reconnection time of the previous connection.
  package init(limit: Int, lastEventID: String = "", reconnectionTime: Duration? = nil) {
    self.limit = limit
    id = lastEventID
    self.lastEventID = lastEventID
    self.reconnectionTime = reconnectionTime
  }

  /// Whether an event has begun but is not complete. The event is lost if the stream ends here.
  package var isInEvent: Bool { !line.isEmpty || !data.isEmpty || !type.isEmpty }

  /// Decodes a piece and passes each event to `take`. Returns false if `take` returned false for an event;
  /// the rest of the piece is then discarded.
  package mutating func decode(
    _ piece: UnsafeRawBufferPointer, _ take: (ServerSentEvent) -> Bool
  ) throws(StreamItemTooLong) -> Bool {
    var position = 0
    if endedWithReturn, let first = piece.first {
      endedWithReturn = false
      if first == Self.lineFeed { position = 1 }
    }
    var feed = Self.next(Self.lineFeed, in: piece, from: position)
    var carriage = Self.next(Self.carriageReturn, in: piece, from: position)
    while position < piece.count {
      let end = min(feed, carriage)
      let part = UnsafeRawBufferPointer(rebasing: piece[position..<end])
      if end == piece.count {
        guard line.count + part.count + data.count <= limit else { throw StreamItemTooLong(limit: limit) }
        line.appendIfRoom(part)
        break
      }
      position = end + 1
      if piece[end] == Self.carriageReturn {
        if position == piece.count { endedWithReturn = true } else if feed == position { position += 1 }
        carriage = Self.next(Self.carriageReturn, in: piece, from: position)
      }
      if feed < position { feed = Self.next(Self.lineFeed, in: piece, from: position) }
      guard try takeLine(endingWith: part, take) else { return false }
    }
    return true
  }

  /// Returns the index of the next occurrence of a byte, or the end index if it does not occur.
  private static func next(_ byte: UInt8, in piece: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard start < piece.count, let base = piece.baseAddress, let found = memchr(base + start, Int32(byte), piece.count - start) else {
      return piece.count
    }
    return UnsafeRawPointer(found) - base
  }

  private mutating func takeLine(
    endingWith part: UnsafeRawBufferPointer, _ take: (ServerSentEvent) -> Bool
  ) throws(StreamItemTooLong) -> Bool {
    let event: ServerSentEvent?
    if line.isEmpty {
      event = takeLine(part)
    } else {
      line.appendIfRoom(part)
      var whole: [UInt8] = []
      swap(&whole, &line)
      event = whole.withUnsafeBytes { takeLine($0) }
      whole.removeAll(keepingCapacity: true)
      swap(&whole, &line)
    }
    guard data.count <= limit else { throw StreamItemTooLong(limit: limit) }
    return event.map(take) ?? true
  }

  /// Processes a whole line. Returns an event if the line completes it; otherwise nil.
  private mutating func takeLine(_ line: UnsafeRawBufferPointer) -> ServerSentEvent? {
    var line = line
    if isAtStart {
      isAtStart = false
      if line.starts(with: Self.byteOrderMark) { line = UnsafeRawBufferPointer(rebasing: line.dropFirst(3)) }
    }
    guard !line.isEmpty else { return dispatch() }
    let colon = Self.next(UInt8(ascii: ":"), in: line, from: 0)
    // A line that begins with a colon is a comment.
    guard colon > 0 else { return nil }
    var value = UnsafeRawBufferPointer(rebasing: line.dropFirst(colon + 1))
    if value.first == UInt8(ascii: " ") { value = UnsafeRawBufferPointer(rebasing: value.dropFirst()) }
    take(field: UnsafeRawBufferPointer(rebasing: line[..<colon]), value)
    return nil
  }

  private mutating func take(field: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    if Self.isNamed(field, "data") {
      data.appendIfRoom(value, terminator: Self.lineFeed)
    } else if Self.isNamed(field, "event") {
      type.removeAll(keepingCapacity: true)
      type.appendIfRoom(value)
    } else if Self.isNamed(field, "id") {
      if !value.contains(0) { id = String(utf8IfRoom: value) }
    } else if Self.isNamed(field, "retry") {
      // A time with more than 12 digits would be longer than 30 years, so it is ignored.
      guard !value.isEmpty, value.count <= 12, value.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return }
      reconnectionTime = .milliseconds(value.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) })
    }
  }

  private static func isNamed(_ field: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
    guard field.count == name.utf8CodeUnitCount, let base = field.baseAddress else { return false }
    return memcmp(base, name.utf8Start, field.count) == 0
  }

  private mutating func dispatch() -> ServerSentEvent? {
    defer {
      data.removeAll(keepingCapacity: true)
      type.removeAll(keepingCapacity: true)
    }
    lastEventID = id
    guard !data.isEmpty else { return nil }
    return ServerSentEvent(
      type: type.isEmpty ? "message" : String(utf8IfRoom: type), data: String(utf8IfRoom: data.dropLast()), id: lastEventID)
  }
}

/// A server-sent event, from an [event stream](https://html.spec.whatwg.org/multipage/server-sent-events.html).
public struct ServerSentEvent: Sendable, Hashable {
  /// The event type, with which a program selects a handler. Defaults to `message`.
  public var type: String
  /// The data: the values of the event's `data` lines, with a line feed between them.
  public var data: String
  /// The stream's last event ID at the time of this event; empty if no event had an ID. A client that reconnects sends the ID as
  /// `Last-Event-ID`.
  public var id: String

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - type: The event type. Defaults to `message`.
  ///   - data: The values of the event's `data` lines, with a line feed between them.
  ///   - id: The last event ID; empty if there is none.
  public init(type: String = "message", data: String, id: String = "") {
    self.type = type
    self.data = data
    self.id = id
  }
}

import TestSupport
import Testing

@testable import GarlandTransfer

/// Tests the parsing rules of the HTML standard, section 9.2.6, and the examples of its section 9.2.
@Suite("Event streams")
struct EventStreamDecoderTests {
  static func events(_ bytes: [UInt8], pieces: [Int] = [], limit: Int = 1 << 20) throws -> [ServerSentEvent] {
    var decoder = EventStreamDecoder(limit: limit)
    return try events(bytes, pieces: pieces, &decoder)
  }

  /// Decodes pieces of these sizes, and then the rest of the bytes.
  static func events(_ bytes: [UInt8], pieces: [Int] = [], _ decoder: inout EventStreamDecoder) throws -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    var start = 0
    for size in pieces + [bytes.count] {
      let end = min(bytes.count, start + size)
      _ = try bytes[start..<end].withUnsafeBytes { piece throws(StreamItemTooLong) in
        try decoder.decode(piece) { event in
          events.append(event)
          return true
        }
      }
      start = end
    }
    return events
  }

  private func events(_ text: String) throws -> [ServerSentEvent] { try Self.events(Array(text.utf8)) }

  @Test func `the data lines of an event are joined with a line feed`() throws {
    #expect(try events("data: YHOO\ndata: +2\ndata: 10\n\n") == [ServerSentEvent(data: "YHOO\n+2\n10")])
  }

  @Test func `the second example of the event stream standard gives the events that the standard states`() throws {
    let stream = ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n"
    #expect(
      try events(stream) == [
        ServerSentEvent(data: "first event", id: "1"), ServerSentEvent(data: "second event"), ServerSentEvent(data: " third event"),
      ])
  }

  @Test func `a server-sent event is delivered even if all of its 'data' fields are empty`() throws {
    #expect(try events("data\n\ndata\ndata\n\ndata:") == [ServerSentEvent(data: ""), ServerSentEvent(data: "\n")])
  }

  @Test func `one space after the colon of a field in an event stream is not part of the value`() throws {
    #expect(try events("data:test\n\ndata: test\n\n") == [ServerSentEvent(data: "test"), ServerSentEvent(data: "test")])
  }

  @Test(arguments: ["\n", "\r", "\r\n"])
  func `lines of an event stream end with LF, CR or CRLF`(_ end: String) throws {
    let stream = ["event: add", "data: 1", "", "data: 2", "", ""].joined(separator: end)
    #expect(try events(stream) == [ServerSentEvent(type: "add", data: "1"), ServerSentEvent(data: "2")])
  }

  @Test func `different line endings can be mixed in one event stream`() throws {
    #expect(try events("data: 1\r\rdata: 2\r\n\ndata: 3\n\r") == ["1", "2", "3"].map { ServerSentEvent(data: $0) })
  }

  @Test func `a single byte order mark at the start of an event stream is ignored`() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let stream = mark + Array("data: 1\n\n".utf8) + mark + Array("data: 2\n\n".utf8) + Array("data: 3\n\n".utf8)
    // The second byte order mark is part of a field's name, so that the field is unknown.
    #expect(try Self.events(stream) == ["1", "3"].map { ServerSentEvent(data: $0) })
    #expect(try Self.events(mark + mark + Array("data: 1\n\n".utf8)) == [])
  }

  @Test func `in an event stream, an event without a type does not get the type of the previous event`() throws {
    #expect(
      try events("event: add\ndata: 1\n\ndata: 2\n\n") == [ServerSentEvent(type: "add", data: "1"), ServerSentEvent(data: "2")])
  }

  @Test func `the last type field of an event determines its type, which is 'message' if this field is empty`() throws {
    #expect(
      try events("event: a\nevent: b\ndata: 1\n\nevent: a\nevent\ndata: 2\n\n") == [
        ServerSentEvent(type: "b", data: "1"), ServerSentEvent(type: "message", data: "2"),
      ])
  }

  @Test func `in an event stream, a line that begins with a colon is a comment, also between the fields of an event`() throws {
    #expect(try events(":\ndata: 1\n: data: 2\n:data\ndata: 3\n\n") == [ServerSentEvent(data: "1\n3")])
  }

  @Test func `in an event stream, the type of an event without data does not apply to the next event`() throws {
    #expect(try events("event: ping\n\ndata: 1\n\n") == [ServerSentEvent(data: "1")])
  }

  @Test func `an event without an ID field does not change the last event ID`() throws {
    #expect(
      try events("id: 7\ndata: 1\n\ndata: 2\n\nid\ndata: 3\n\n") == [
        ServerSentEvent(data: "1", id: "7"), ServerSentEvent(data: "2", id: "7"), ServerSentEvent(data: "3"),
      ])
  }

  @Test func `an event ID with a NUL is ignored`() throws {
    #expect(try events("id: 7\ndata: 1\n\nid: 8\u{0}\ndata: 2\n\n").map(\.id) == ["7", "7"])
  }

  @Test func `the ID of an event without data is sent when the event stream reconnects`() throws {
    var decoder = EventStreamDecoder(limit: 100)
    #expect(try Self.events(Array("id: 9\n\n".utf8), &decoder) == [])
    #expect(decoder.lastEventID == "9")
  }

  @Test func `the ID of an event that was received only in part is not sent when the event stream reconnects`() throws {
    var decoder = EventStreamDecoder(limit: 100)
    #expect(try Self.events(Array("id: 1\ndata: a\n\nid: 2\ndata: b\n".utf8), &decoder) == [ServerSentEvent(data: "a", id: "1")])
    #expect(decoder.lastEventID == "1")
  }

  @Test(
    arguments: [
      ("retry: 250\n", Duration.milliseconds(250)), ("retry:0\n", .zero), ("retry: 2s\n", nil), ("retry: -1\n", nil), ("retry\n", nil),
      ("retry: 250\nretry: x\n", .milliseconds(250)), ("retry: 99999999999999999999\n", nil),
    ] as [(String, Duration?)])
  func `only a text of digits is accepted as the reconnection time of an event stream`(_ stream: String, _ time: Duration?) throws {
    var decoder = EventStreamDecoder(limit: 100)
    _ = try Self.events(Array(stream.utf8), &decoder)
    #expect(decoder.reconnectionTime == time)
  }

  @Test func `in an event stream, a field is ignored if its name is unknown, in the wrong letter case or next to a space`() throws {
    #expect(try events("Data: 1\nDATA: 2\n data: 3\ndata : 4\nfoo: 5\ndata: 6\n\n") == [ServerSentEvent(data: "6")])
  }

  @Test func `the value of a field in an event stream may contain colons`() throws {
    #expect(try events("data: a:b: c\n\n") == [ServerSentEvent(data: "a:b: c")])
  }

  @Test func `in an event stream, bytes that are not UTF-8 become replacement characters`() throws {
    #expect(try Self.events(Array("data: a".utf8) + [0xFF, 0xC3] + Array("b\n\n".utf8)) == [ServerSentEvent(data: "a\u{FFFD}\u{FFFD}b")])
  }

  @Test func `an unfinished event of an event stream is refused when it exceeds the size limit`() {
    let long = Array(repeating: UInt8(ascii: "x"), count: 200)
    let lines = Array(String(repeating: "data: xxxxxxxx\n", count: 20).utf8)
    for stream in [Array("data: ".utf8) + long, lines] {
      #expect(throws: StreamItemTooLong(limit: 100)) { try Self.events(stream, limit: 100) }
      #expect(throws: StreamItemTooLong(limit: 100)) {
        try Self.events(stream, pieces: Array(repeating: 1, count: stream.count), limit: 100)
      }
    }
  }

  @Test func `the size limit of an event stream applies to each event and not to the whole stream`() throws {
    let stream = Array(String(repeating: "data: xxxxxxxx\n\n", count: 1_000).utf8)
    #expect(try Self.events(stream, limit: 20).count == 1_000)
  }

  @Test func `the decoding of an event stream stops after an event that the caller refuses`() throws {
    var decoder = EventStreamDecoder(limit: 100)
    var seen: [String] = []
    let goesOn = try Array("data: 1\n\ndata: 2\n\ndata: 3\n\n".utf8).withUnsafeBytes { bytes throws(StreamItemTooLong) in
      try decoder.decode(bytes) { event in
        seen.append(event.data)
        return event.data != "2"
      }
    }
    #expect(!goesOn)
    #expect(seen == ["1", "2"])
  }

  @Test(arguments: [("data: 1\n\n", false), ("data: 1\n\n: comment\n", false), ("data: 1\n", true), ("dat", true), ("event: x\n", true)])
  func `the decoder reports whether an event stream ends within an event`(_ stream: String, _ isInEvent: Bool) throws {
    var decoder = EventStreamDecoder(limit: 100)
    _ = try Self.events(Array(stream.utf8), &decoder)
    #expect(decoder.isInEvent == isInEvent)
  }

  /// Decodes 2,000 random streams of the bytes that have a meaning: each in one piece, byte by byte, and
  /// divided in ten other ways.
  @Test func `the decoder of an event stream gives the same events, however the stream is split into pieces`() throws {
    var random = SeededRandom(seed: 24)
    let parts = [
      "data", "data:", "event: a", "id: 5", "id", "retry: 10", ":", ": ", "\n", "\n", "\r", "\r\n", "\n\n", "ä", "\u{FEFF}", "x", "\u{0}",
    ]
    for _ in 0..<2_000 {
      let stream = Array((0..<Int.random(in: 0...40, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined().utf8)
      let whole = try Self.events(stream)
      #expect(try Self.events(stream, pieces: Array(repeating: 1, count: stream.count)) == whole)
      for _ in 0..<10 {
        let pieces = (0..<8).map { _ in Int.random(in: 0...9, using: &random) }
        #expect(try Self.events(stream, pieces: pieces) == whole, "\(stream) in \(pieces)")
      }
    }
  }
}

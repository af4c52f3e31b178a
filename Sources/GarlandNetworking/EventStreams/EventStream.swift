import HTTPTypes

/// The server-sent events of a URL, in order.
///
/// The stream connects again when a connection ends.
///
/// ```swift
/// for try await event in session.eventStream("https://example.com/feed") {
///   print(event.type, event.data)
/// }
/// ```
/// Each loop over the stream opens its own connection. Leaving the loop, or cancelling its task, closes the
/// connection. A slow reader slows down the server.
public struct EventStream: AsyncSequence, Sendable {
  /// One event of the stream.
  public typealias Element = ServerSentEvent

  /// The maximum size in bytes of an event.
  static let limit = 16 << 20

  let reconnection: EventReconnection
  /// The ID of the last event that the caller received before this stream. The stream continues after that event. If the ID is empty, the
  /// stream begins without an ID.
  let lastEventID: String
  /// The clock that measures the wait before a new connection.
  let clock: SessionClock
  /// Creates the request for the events after the event with the ID `lastEventID`, or for all events if the ID is empty.
  let request: @Sendable (_ lastEventID: String) -> DataStreamRequest

  /// Creates a reader of the events.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Reads the events.
  public struct Iterator: AsyncIteratorProtocol {
    private let stream: EventStream
    private var decoder: EventStreamDecoder
    private var connection: DataStreamRequest.Iterator?
    /// The decoded events that were not returned yet, in reverse order: the next event is the last element.
    private var events: [ServerSentEvent] = []
    /// The number of successive connections that delivered no event.
    private var failures = 0
    private var url: String?
    private var isDone = false

    init(_ stream: EventStream) {
      self.stream = stream
      decoder = EventStreamDecoder(limit: EventStream.limit, lastEventID: stream.lastEventID)
    }

    /// Returns the next event; nil at the end of the stream. Throws ``NetworkingError``.
    public mutating func next() async throws -> ServerSentEvent? { try await next(isolation: nil) }

    /// Returns the next event; nil at the end of the stream.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkingError) -> ServerSentEvent? {
      while true {
        if let event = events.popLast() { return event }
        if isDone { return nil }
        do throws(NetworkingError) {
          if try await read(isolation: actor) { continue }
        } catch {
          guard Self.mayPass(error), mayReconnect else {
            end()
            throw error
          }
        }
        guard mayReconnect else {
          end()
          continue
        }
        try await reconnect(isolation: actor)
      }
    }

    /// Ends the stream and closes its connection.
    private mutating func end() {
      isDone = true
      connection = nil
    }

    /// Reads a piece of the response and decodes its events into ``events``. Returns false at the end of the connection.
    private mutating func read(isolation actor: isolated (any Actor)?) async throws(NetworkingError) -> Bool {
      if connection == nil {
        let request = stream.request(decoder.lastEventID)
        let head = try await request.waitForHead()
        url = head.url
        // HTML, section 9.2.3: the server wants no new connection.
        if head.status == .noContent { isDone = true }
        connection = request.makeAsyncIterator()
      }
      guard let piece = try await connection?.next(isolation: actor) else { return isDone }
      var decoded: [ServerSentEvent] = []
      let result = piece.withUnsafeBytes { bytes in
        Result { () throws(StreamItemTooLong) in
          try decoder.decode(bytes) { event in
            decoded.append(event)
            return true
          }
        }
      }
      if case .failure(let error) = result { throw NetworkingError(.itemTooLarge(item: "event", limit: Int64(error.limit)), url: url) }
      if !decoded.isEmpty { failures = 0 }
      events = decoded.reversed()
      return true
    }

    private var mayReconnect: Bool { !isDone && stream.reconnection.limit.map { failures < $0 } ?? true }

    /// Resets the state for a new connection, and waits for the delay that must precede the connection.
    private mutating func reconnect(isolation actor: isolated (any Actor)?) async throws(NetworkingError) {
      failures += 1
      connection = nil
      let time = decoder.reconnectionTime
      decoder = EventStreamDecoder(limit: EventStream.limit, lastEventID: decoder.lastEventID, reconnectionTime: time)
      do {
        try await stream.clock.sleep(time ?? stream.reconnection.delay)
      } catch {
        end()
        throw NetworkingError(.cancelled, url: url)
      }
    }

    /// Whether a new connection may succeed after this error: true for network errors, false for
    /// refused responses and all other errors.
    private static func mayPass(_ error: NetworkingError) -> Bool {
      switch error.reason {
      case .resolve, .refused, .unreachable, .timeout, .proxy, .connectionLost, .truncated: true
      default: false
      }
    }
  }
}

import GarlandNetworking
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Tests server-sent events of a session, over sockets.
@Suite(.timeLimit(.minutes(15))) struct EventStreamTests {
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
  private static let open = head + "Connection: close\r\n\r\n"

  /// A server that sends the next text to each connection, and records the requests.
  private final class Feed: Sendable {
    private final class Heads: Sendable { let all = Mutex<[String]>([]) }
    private let heads: Heads
    private let server: RawServer

    var url: String { server.url + "/feed" }
    var count: Int { heads.all.withLock { $0.count } }

    init(_ answers: [String]) throws {
      let heads = Heads()
      self.heads = heads
      server = try RawServer { connection in
        let head = connection.readHead()
        guard !head.isEmpty else { return }
        let number = heads.all.withLock { all in
          all.append(head)
          return all.count
        }
        if number <= answers.count { connection.send(answers[number - 1]) }
      }
    }

    /// Returns the values of a header field, one for each request.
    func values(_ name: String) -> [String?] {
      heads.all.withLock { $0 }.map { head in
        head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ":") }.map { line in
          String(line.dropFirst(name.utf8.count + 1).drop { $0 == " " })
        }
      }
    }
  }

  private func data(_ stream: EventStream, first count: Int = .max) async throws -> [String] {
    var data: [String] = []
    for try await event in stream {
      data.append(event.data)
      if data.count == count { break }
    }
    return data
  }

  @Test func `server-sent events are received with their type, data and ID`() async throws {
    let feed = try Feed([Self.open + "event: add\nid: 1\ndata: a\ndata: b\n\ndata: c\n\ndata: cut"])
    var events: [ServerSentEvent] = []
    for try await event in Session(.ephemeral).eventStream(feed.url, reconnection: .never) { events.append(event) }
    #expect(events == [ServerSentEvent(type: "add", data: "a\nb", id: "1"), ServerSentEvent(data: "c", id: "1")])
    #expect(feed.values("accept") == ["text/event-stream"])
    #expect(feed.values("cache-control") == ["no-store"])
  }

  @Test func `an event stream reconnects with the ID of the last event until the server sends status 204`()
    async throws
  {
    let feed = try Feed([
      Self.open + "retry: 1\nid: 1\ndata: a\n\n", Self.open + "id: 2\ndata: b\n\n", "HTTP/1.1 204 No Content\r\n\r\n",
    ])
    #expect(try await data(Session(.ephemeral).eventStream(feed.url)) == ["a", "b"])
    #expect(feed.values("last-event-id") == [nil, "1", "2"])
  }

  @Test func `if the connection of an event stream breaks in the middle of a response, the stream reconnects`() async throws {
    let feed = try Feed([
      Self.head + "Content-Length: 100\r\n\r\nretry: 1\nid: 1\ndata: a\n\n", Self.open + "data: b\n\n",
    ])
    #expect(try await data(Session(.ephemeral).eventStream(feed.url), first: 2) == ["a", "b"])
    #expect(feed.values("last-event-id") == [nil, "1"])
  }

  @Test func `an event stream ends after the maximum number of consecutive reconnections without an event`() async throws {
    let feed = try Feed(Array(repeating: Self.open + "retry: 1\n\n", count: 9))
    #expect(try await data(Session(.ephemeral).eventStream(feed.url, reconnection: EventReconnection(limit: 2))) == [])
    #expect(feed.count == 3)
  }

  @Test func `if an event stream without reconnection loses its connection, the loop over its events ends with an error`() async throws {
    let feed = try Feed([Self.head + "Content-Length: 100\r\n\r\ndata: a\n\n"])
    let error = await #expect(throws: NetworkingError.self) {
      try await data(Session(.ephemeral).eventStream(feed.url, reconnection: .never))
    }
    #expect(error?.reason.kind == .truncated)
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi", "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n",
  ])
  func `if an event stream receives an unexpected status or content type, the stream fails and does not reconnect`(_ answer: String)
    async throws
  {
    let feed = try Feed([answer, answer])
    let error = await #expect(throws: NetworkingError.self) { try await data(Session(.ephemeral).eventStream(feed.url)) }
    #expect(error?.reason.kind == .validation)
    #expect(feed.count == 1)
  }

  @Test func `the first request of an event stream sends the last event ID that the caller gives`() async throws {
    let feed = try Feed([Self.open + "data: b\n\n"])
    _ = try await data(Session(.ephemeral).eventStream(feed.url, reconnection: .never, after: "41"))
    #expect(feed.values("last-event-id") == ["41"])
  }

  @Test func `if only a part of an event was received, the event stream requests the event again`() async throws {
    let feed = try Feed([Self.open + "retry: 1\nid: 1\ndata: a\n\nid: 2\ndata: b", Self.open + "id: 2\ndata: b\n\n"])
    #expect(try await data(Session(.ephemeral).eventStream(feed.url), first: 2) == ["a", "b"])
    #expect(feed.values("last-event-id") == [nil, "1"])
  }

  @Test func `after an event with an empty ID, an event stream reconnects without the Last-Event-ID that the caller has set`() async throws
  {
    let feed = try Feed([Self.open + "retry: 1\nid\ndata: a\n\n", "HTTP/1.1 204 No Content\r\n\r\n"])
    #expect(try await data(Session(.ephemeral).eventStream(feed.url, after: "41")) == ["a"])
    #expect(feed.values("last-event-id") == ["41", nil])
  }

  @Test func `the wait before an event stream reconnects uses the session's clock`() async throws {
    let sleeps = Mutex<[Duration]>([])
    var configuration = SessionConfiguration.ephemeral
    configuration.clock = SessionClock(sleep: { duration in sleeps.withLock { $0.append(duration) } })
    let feed = try Feed([
      Self.open + "data: a\n\n", Self.open + "retry: 70000\ndata: b\n\n", Self.open + "data: c\n\n", "HTTP/1.1 204 No Content\r\n\r\n",
    ])
    #expect(try await data(Session(configuration).eventStream(feed.url)) == ["a", "b", "c"])
    #expect(sleeps.withLock { $0 } == [.seconds(3), .seconds(70), .seconds(70)])
  }

  @Test func `if a task is cancelled before an event stream reconnects, the loop over the events throws a networking error`() async throws {
    var configuration = SessionConfiguration.ephemeral
    configuration.clock = SessionClock(sleep: { _ in throw CancellationError() })
    let feed = try Feed([Self.open + "data: a\n\n"])
    var events: [ServerSentEvent] = []
    do throws(NetworkingError) {
      for try await event in Session(configuration).eventStream(feed.url) { events.append(event) }
      Issue.record("it ended")
    } catch {
      #expect(error.reason == .cancelled && error.url == feed.url)
    }
    #expect(events.map(\.data) == ["a"])
  }

  @Test func `an event stream can be requested with header fields whose names and values are strings`() async throws {
    let feed = try Feed([Self.open + "data: a\n\n"])
    _ = try await data(Session(.ephemeral).eventStream(feed.url, headers: ["X-Request-ID": "7"], reconnection: .never))
    #expect(feed.values("x-request-id") == ["7"])
    let error = await #expect(throws: NetworkingError.self) {
      try await data(Session(.ephemeral).eventStream(feed.url, headers: ["X Y": "7"]))
    }
    #expect(error?.reason.kind == .invalidRequest)
  }

  @Test func `if the caller leaves a loop over the events of a stream, the connection is closed`() async throws {
    let (closed, isClosed) = AsyncStream.makeStream(of: Void.self)
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send(Self.open + "data: a\n\n")
      connection.readToEnd()
      isClosed.finish()
    }
    #expect(try await data(Session(.ephemeral).eventStream(server.url), first: 1) == ["a"])
    // The loop ends when the connection ends.
    for await _ in closed {}
  }

  @Test func `an event that never ends is refused as soon as it exceeds the size limit`() async throws {
    let feed = try Feed([Self.open + "data: " + String(repeating: "x", count: 17 << 20)])
    let error = await #expect(throws: NetworkingError.self) { try await data(Session(.ephemeral).eventStream(feed.url)) }
    #expect(error?.reason.kind == .bodyTooLarge)
  }
}

import GarlandNetworking
import HTTPTypes
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

/// Tests WebSocket connections to a server whose frames the tests define.
@Suite(.timeLimit(.minutes(15))) struct WebSocketTaskTests {
  typealias Frame = FrameServer.Frame

  let session = Session(.ephemeral)

  private func socket(
    _ server: FrameServer, options: WebSocketOptions = WebSocketOptions(), interceptor: (any RequestInterceptor)? = nil
  ) -> WebSocketTask {
    session.webSocket("ws://127.0.0.1:\(server.port)/", options: options, interceptor: interceptor)
  }

  /// Returns the error that an operation throws.
  private func error(_ operation: () async throws -> Void) async -> NetworkingError? {
    do {
      try await operation()
      return nil
    } catch {
      return error as? NetworkingError
    }
  }

  private struct Greeting: Codable, Sendable, Equatable {
    var user: String
    var number: Int
  }

  @Test func `a WebSocket can send and receive values as JSON`() async throws {
    let server = try FrameServer { peer in
      while let frame = peer.read(), frame.opcode == 1 { peer.send(Frame(1, frame.payload)) }
    }
    let socket = socket(server)
    try await socket.send(json: Greeting(user: "alice", number: 7))
    #expect(try await socket.receive(Greeting.self) == Greeting(user: "alice", number: 7))
    try await socket.send(text: "no JSON")
    guard case .serialization(.json)? = await error({ _ = try await socket.receive(Greeting.self) })?.reason else {
      Issue.record("it was JSON")
      return
    }
  }

  @Test func `closing a WebSocket sends a close frame and returns the code and reason of the server`() async throws {
    let (frames, add) = AsyncStream.makeStream(of: Frame.self)
    let server = try FrameServer { peer in
      if let frame = peer.read() { add.yield(frame) }
      // A message that arrives before the server's close frame is dropped.
      peer.send(Frame(1, Array("late".utf8)))
      peer.send(Frame(8, [0x0F, 0xA0]))
    }
    let socket = socket(server)
    try await socket.open()
    #expect(try await socket.close(.init(rawValue: 3001), reason: "bye") == WebSocketClose(.init(rawValue: 4000)))
    for await frame in frames {
      #expect(frame == Frame(8, [0x0B, 0xB9] + Array("bye".utf8)))
      break
    }
    #expect(try await socket.receive() == nil)
  }

  @Test func `if the server does not answer the close frame of a WebSocket, closing the WebSocket fails with a timeout`() async throws {
    let server = try FrameServer { _ = $0.readAll() }
    let socket = socket(server)
    try await socket.open()
    #expect(await error({ try await socket.close(timeout: .milliseconds(50)) })?.reason.timeout?.limit == .deadline)
  }

  @Test func `a ping from the server is answered even if no task waits for a message`() async throws {
    let (frames, add) = AsyncStream.makeStream(of: Frame.self)
    let server = try FrameServer { peer in
      peer.send(Frame(9, [1, 2, 3]))
      if let frame = peer.read() { add.yield(frame) }
    }
    let socket = socket(server)
    try await socket.open()
    for await frame in frames {
      #expect(frame == Frame(10, [1, 2, 3]))
      break
    }
    withExtendedLifetime(socket) {}
  }

  @Test func `WebSocket pings are sent at the configured interval, and a missing pong ends the connection`() async throws {
    let sleeps = Mutex<[Duration]>([])
    var configuration = SessionConfiguration.ephemeral
    configuration.clock = SessionClock(sleep: { duration in sleeps.withLock { $0.append(duration) } })
    let server = try FrameServer { peer in
      // Two pings are answered, and the third one is not.
      for _ in 0..<2 { if let frame = peer.read() { peer.send(Frame(10, frame.payload)) } }
      _ = peer.readAll()
    }
    let socket = Session(configuration).webSocket("ws://127.0.0.1:\(server.port)/", options: .init(pingInterval: .seconds(5)))
    #expect(await error({ _ = try await socket.receive() })?.reason.timeout?.duration == .seconds(5))
    #expect(sleeps.withLock { $0 } == Array(repeating: .seconds(5), count: 3))
  }

  @Test func `a received WebSocket message above the size limit ends the connection with code 1009`() async throws {
    let (frames, add) = AsyncStream.makeStream(of: Frame.self)
    let server = try FrameServer { peer in
      peer.send(Frame(1, Array(repeating: 0x61, count: 10)))
      peer.send(Frame(1, Array(repeating: 0x61, count: 11)))
      if let frame = peer.read() { add.yield(frame) }
    }
    var options = WebSocketOptions()
    options.maximumMessageSize = 10
    let socket = socket(server, options: options)
    #expect(try await socket.receive() == .text("aaaaaaaaaa"))
    #expect(await error({ _ = try await socket.receive() })?.reason == .itemTooLarge(item: "message", limit: 10))
    for await frame in frames {
      #expect(frame == Frame(8, [0x03, 0xF1]))
      break
    }
  }

  @Test(
    arguments: [([0x81], "the server closed it within a message"), ([], "the server closed it without a close frame")]
      as [([UInt8], String)])
  func `if the server closes the connection without a close frame, waiting for a message throws an error`(
    _ bytes: [UInt8], _ detail: String
  ) async throws {
    let server = try FrameServer { peer in
      peer.send(bytes)
      peer.close()
    }
    let socket = socket(server)
    #expect(await error({ _ = try await socket.receive() })?.reason == .connectionLost(detail: detail))
    #expect(await socket.closing == nil)
  }

  @Test func `if a wait for a WebSocket message times out, a later wait returns the next message`() async throws {
    let (may, go) = AsyncStream.makeStream(of: Void.self)
    let server = try FrameServer { peer in
      _ = peer.read()
      peer.send(Frame(1, [0x61]))
      go.finish()
      _ = peer.readAll()
    }
    let socket = socket(server)
    #expect(await error({ _ = try await socket.receive(timeout: .milliseconds(20)) })?.reason.timeout?.phase == .receiving)
    try await socket.send(text: "go")
    for await _ in may {}
    #expect(try await socket.receive() == .text("a"))
  }

  @Test func `if the wait for a message is cancelled, the wait ends immediately, and the WebSocket connection stays open`() async throws {
    let server = try FrameServer { peer in
      while let frame = peer.read() { peer.send(Frame(1, frame.payload)) }
    }
    let socket = socket(server)
    try await socket.open()
    let waiting = Task { try await socket.receive() }
    waiting.cancel()
    guard case .failure(let error as NetworkingError) = await waiting.result else {
      Issue.record("it went on")
      return
    }
    #expect(error.reason == .cancelled)
    try await socket.send(text: "a")
    #expect(try await socket.receive() == .text("a"))
  }

  @Test func `after a WebSocket is cancelled, waiting for a message and sending a message throw errors`() async throws {
    let server = try FrameServer { _ = $0.readAll() }
    let socket = socket(server)
    try await socket.open()
    let waiting = Task { try await socket.receive() }
    socket.cancel()
    guard case .failure(let error as NetworkingError) = await waiting.result else {
      Issue.record("it went on")
      return
    }
    #expect(error.reason == .cancelled)
    #expect(await self.error({ try await socket.send(text: "a") })?.reason == .cancelled)
  }

  @Test func `after a refused WebSocket handshake, the retrier decides whether to connect again`() async throws {
    let attempts = Mutex(0)
    let server = try RawServer { connection in
      _ = connection.readHead()
      let number = attempts.withLock { count in
        count += 1
        return count
      }
      connection.send("HTTP/1.1 503 Busy\r\nTransfer-Encoding: chunked\r\n\r\n5;x\r\nbusy \r\n1\r\n\(number)\r\n0\r\n\r\n")
    }
    let bodies = Mutex<[String]>([])
    let retrier = Interceptor.retrier { attempt in
      bodies.withLock { $0.append(attempt.response.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "") }
      return attempt.retryCount < 2 ? .retry : .doNotRetry
    }
    let socket = session.webSocket("ws://127.0.0.1:\(server.port)/", interceptor: retrier)
    #expect(await error({ try await socket.open() })?.reason == .validation(.unacceptableStatus(503)))
    #expect(bodies.withLock { $0 } == ["busy 1", "busy 2", "busy 3"])
  }

  @Test(arguments: [204, 304]) func `a refused WebSocket handshake with status 204 or 304 has no body`(status: Int) async throws {
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 \(status) No\r\n\r\nno body")
    }
    let refusal = await error { try await self.session.webSocket("ws://127.0.0.1:\(server.port)/").open() }
    #expect(refusal?.partialResponse?.status.code == status)
    #expect(refusal?.partialResponse?.bytes.isEmpty == true)
  }

  @Test func `a WebSocket handshake sends its credential, and the cookies that earlier handshakes have received`() async throws {
    let (heads, add) = AsyncStream.makeStream(of: String.self)
    let server = try FrameServer(fields: ["Set-Cookie: seat=7"]) { peer in
      add.yield(peer.head)
      _ = peer.readAll()
    }
    var seen: [String] = []
    var iterator = heads.makeAsyncIterator()
    for _ in 0..<2 {
      let socket = session.webSocket("ws://127.0.0.1:\(server.port)/a?b=c") { $0.credential = .basic(user: "alice", password: "x") }
      try await socket.open()
      if let head = await iterator.next() { seen.append(head) }
      socket.cancel()
    }
    #expect(seen.allSatisfy { $0.hasPrefix("GET /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n") })
    #expect(seen.allSatisfy { $0.contains("\r\nAuthorization: Basic YWxpY2U6eA==\r\n") })
    #expect(seen.map { $0.contains("\r\nCookie: seat=7\r\n") } == [false, true])
  }

  @Test func `opening a WebSocket fails if the caller sets a handshake field, a body or a digest credential`() async {
    for modify in [
      { $0.headerFields[.upgrade] = "h2c" }, { $0.credential = .digest(user: "a", password: "b") },
      { $0.body = .bytes([1]) },
    ] as [(inout TransferRequest) -> Void] {
      let socket = session.webSocket("ws://127.0.0.1:9/", modify: modify)
      let kind = await error { try await socket.open() }?.reason.kind
      #expect(kind == .invalidRequest || kind == .unsupported)
    }
  }

  @Test func `an invalidated session refuses new WebSockets and cancels open ones`() async throws {
    let server = try FrameServer { _ = $0.readAll() }
    let other = Session(.ephemeral)
    let socket = other.webSocket("ws://127.0.0.1:\(server.port)/")
    try await socket.open()
    other.cancelAndInvalidate()
    #expect(await error({ _ = try await socket.receive() })?.reason == .cancelled)
    #expect(await error({ try await other.webSocket("ws://127.0.0.1:\(server.port)/").open() })?.reason == .invalidated)
  }
}

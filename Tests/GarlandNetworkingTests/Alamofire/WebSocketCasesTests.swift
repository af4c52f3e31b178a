import GarlandNetworking
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

/// WebSocket connections as in Alamofire's tests.
@Suite(.timeLimit(.minutes(15))) struct WebSocketCasesTests {
  typealias Frame = FrameServer.Frame

  private static let normal: [UInt8] = [0x03, 0xE8]
  private static let goingAway: [UInt8] = [0x03, 0xE9]
  private let session = Session(.ephemeral)

  @Test func `when a server closes a WebSocket after some messages, the client receives every message and then the close code`()
    async throws
  {
    let server = try FrameServer { peer in
      for number in 1...5 { peer.send(Frame(2, Array("\(number)".utf8))) }
      peer.send(Frame(8, Self.normal))
      _ = peer.readAll()
    }
    let socket = session.webSocket("ws://127.0.0.1:\(server.port)/")
    #expect(try await socket.open().subprotocol == nil)
    var messages: [WebSocketMessage] = []
    for try await message in socket.messages { messages.append(message) }
    #expect(messages == (1...5).map { .binary(Array("\($0)".utf8)) })
    #expect(await socket.closing == WebSocketClose(.normal))
  }

  @Test func `if a hundred pings are sent at once, each ping is answered`() async throws {
    let server = try FrameServer { peer in
      while let frame = peer.read() { peer.send(Frame(frame.opcode == 9 ? 10 : frame.opcode, frame.payload)) }
    }
    let socket = session.webSocket("ws://127.0.0.1:\(server.port)/")
    try await socket.send(text: "Echo")
    #expect(try await socket.receive() == .text("Echo"))
    let count = try await withThrowingTaskGroup(of: Duration.self) { group in
      for _ in 0..<100 { group.addTask { try await socket.ping() } }
      return try await group.reduce(into: 0) { count, _ in count += 1 }
    }
    #expect(count == 100)
    #expect(try await socket.close().code == .normal)
  }

  @Test func `a WebSocket connection with automatic pings ends without an error if the server closes it`() async throws {
    var configuration = SessionConfiguration.ephemeral
    configuration.clock = SessionClock(sleep: { _ in try Task.checkCancellation() })
    let server = try FrameServer { peer in
      for _ in 0..<5 { if let frame = peer.read(), frame.opcode == 9 { peer.send(Frame(10, frame.payload)) } }
      peer.send(Frame(8, Self.goingAway))
      _ = peer.readAll()
    }
    let socket = Session(configuration).webSocket("ws://127.0.0.1:\(server.port)/", options: .init(pingInterval: .seconds(60)))
    #expect(try await socket.receive() == nil)
    #expect(await socket.closing == WebSocketClose(.goingAway))
  }

  @Test func `if two tasks read a WebSocket connection, each message is delivered to only one of them`() async throws {
    let server = try FrameServer { peer in
      for number in 0..<100 { peer.send(Frame(1, Array("\(number)".utf8))) }
      peer.send(Frame(8, Self.normal))
      _ = peer.readAll()
    }
    let socket = session.webSocket("ws://127.0.0.1:\(server.port)/")
    let all = try await withThrowingTaskGroup(of: [WebSocketMessage].self) { group in
      for _ in 0..<2 {
        group.addTask { try await socket.messages.reduce(into: []) { $0.append($1) } }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(all) == Set((0..<100).map { .text("\($0)") }) && all.count == 100)
  }

  @Test func `a second loop over the messages of a closed WebSocket connection ends without waiting`() async throws {
    let server = try FrameServer { peer in
      peer.send(Frame(1, [0x61]))
      peer.send(Frame(8, Self.normal))
      _ = peer.readAll()
    }
    let socket = session.webSocket("ws://127.0.0.1:\(server.port)/")
    let first: [WebSocketMessage] = try await socket.messages.reduce(into: []) { $0.append($1) }
    let second: [WebSocketMessage] = try await socket.messages.reduce(into: []) { $0.append($1) }
    #expect(first == [.text("a")] && second == [])
  }

  @Test func `if a WebSocket is cancelled during its handshake, a message that waits to be sent fails as cancelled`() async throws {
    let (handshakes, handshake) = AsyncStream.makeStream(of: Void.self)
    let server = try RawServer { connection in
      _ = connection.readHead()
      handshake.yield()
      // The server never answers the handshake.
      connection.readToEnd()
    }
    let socket = session.webSocket("ws://127.0.0.1:\(server.port)/")
    let sending = Task { try await socket.send(text: "hello") }
    for await _ in handshakes { break }
    socket.cancel()
    let error = await #expect(throws: NetworkingError.self) { try await sending.value }
    #expect(error?.reason == .cancelled)
  }

  @Test func `a retry policy repeats a WebSocket handshake that was refused with 500`() async throws {
    let attempts = Mutex(0)
    let refusing = try RawServer { connection in
      _ = connection.readHead()
      attempts.withLock { $0 += 1 }
      connection.send("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n")
    }
    let server = try FrameServer { peer in
      peer.send(Frame(1, [0x61]))
      peer.send(Frame(8, Self.normal))
      _ = peer.readAll()
    }
    let change = Interceptor.adapter { request in
      var request = request
      if attempts.withLock({ $0 }) > 0 { request.url = "ws://127.0.0.1:\(server.port)/" }
      return request
    }
    let interceptor = Interceptor(interceptors: [change, RetryPolicy(delay: .zero)])
    let socket = session.webSocket("ws://127.0.0.1:\(refusing.port)/", interceptor: interceptor)
    var messages: [WebSocketMessage] = []
    for try await message in socket.messages { messages.append(message) }
    #expect(messages == [.text("a")])
    #expect(await socket.closing == WebSocketClose(.normal))
    #expect(attempts.withLock { $0 } == 1)
  }
}

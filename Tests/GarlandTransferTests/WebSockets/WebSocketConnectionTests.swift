import Dispatch
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

@testable import GarlandTransfer

/// A WebSocket connection whose messages are not received for a time.
@Suite(.timeLimit(.minutes(15))) struct WebSocketConnectionTests {
  typealias Frame = FrameServer.Frame

  @Test func `if a pong arrives after unread messages, the WebSocket connection stays open`() async throws {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
    let (pings, add) = AsyncStream.makeStream(of: Void.self)
    let server = try FrameServer { peer in
      for _ in 0..<20 { peer.send(Frame(2, Array(repeating: 1, count: 64 << 10))) }
      while let frame = peer.read() {
        peer.send(Frame(frame.opcode == 9 ? 10 : 1, frame.payload))
        if frame.opcode == 9 { add.yield() }
      }
    }
    let sleeps = Mutex(0)
    // The first two sleeps end when they may, and the third one at its cancellation.
    let clock = SessionClock(sleep: { _ in
      let number = sleeps.withLock { count in
        count += 1
        return count
      }
      if number == 1 { for await _ in wakes {} }
      if number > 2 { await TestGate().wait() }
      try Task.checkCancellation()
    })
    let options = WebSocketOptions(compresses: false, pingInterval: .milliseconds(20))
    let connection = WebSocketConnection(
      request: TransferRequest(url: "ws://127.0.0.1:\(server.port)/"), options: options, engine: Engine(), clock: clock)
    _ = try await connection.open()
    while await !connection.isFull { await Task.yield() }
    wake.finish()
    var iterator = pings.makeAsyncIterator()
    for _ in 0..<2 { await iterator.next() }
    for _ in 0..<20 { #expect(try await connection.receive(timeout: nil)?.size == 64 << 10) }
    try await connection.send(.text("on"))
    #expect(try await connection.receive(timeout: nil) == .text("on"))
    connection.cancel()
    await connection.waitForEnd()
  }

  private static func connection(_ server: FrameServer, _ options: WebSocketOptions) async throws -> WebSocketConnection {
    let connection = WebSocketConnection(
      request: TransferRequest(url: "ws://127.0.0.1:\(server.port)/"), options: options, engine: Engine())
    _ = try await connection.open()
    while await !connection.isFull { await Task.yield() }
    return connection
  }

  @Test func `a WebSocket connection with unread messages ends when it is cancelled`() async throws {
    let server = try FrameServer { peer in
      while peer.send(Frame(2, Array(repeating: 1, count: 64 << 10))) {}
    }
    let connection = try await Self.connection(server, WebSocketOptions(compresses: false))
    connection.cancel()
    await connection.waitForEnd()
    guard case .failure(let error)? = await connection.end else {
      Issue.record("it has no error")
      return
    }
    #expect(error.reason == .cancelled)
  }

  /// The client's close frame waits until a large message is sent, because the server reads nothing before the cancellation.
  @Test(arguments: [Frame(8, AutobahnCase.code(1000)), Frame(3, [])])
  func `if a WebSocket connection is cancelled before its close frame is written, the frame is still sent`(frame: Frame) async throws {
    let (sending, cancelled) = (TestGate(), TestGate())
    let (results, add) = AsyncStream.makeStream(of: [UInt8].self)
    let server = try FrameServer { peer in
      sending.block()
      peer.send(frame)
      cancelled.block()
      add.yield(peer.readAll().map(\.opcode))
    }
    let connection = WebSocketConnection(
      request: TransferRequest(url: "ws://127.0.0.1:\(server.port)/"), options: WebSocketOptions(compresses: false), engine: Engine())
    _ = try await connection.open()
    let size = 32 << 20
    let message = Task { try await connection.send(.binary(Array(repeating: 1, count: size))) }
    while await connection.output.given < size { await Task.yield() }
    sending.open()
    #expect((try? await connection.receive(timeout: nil)) == nil)
    connection.cancel()
    cancelled.open()
    var iterator = results.makeAsyncIterator()
    #expect(await iterator.next() == [2, 8])
    _ = await message.result
  }

  @Test func `a WebSocket client closes its socket after the server's close frame, even if the server reads no more data`() async throws {
    let (sending, closed) = (TestGate(), TestGate())
    let server = try FrameServer { peer in
      sending.block()
      peer.send(Frame(8, AutobahnCase.code(1000)))
      closed.block()
    }
    var request = TransferRequest(url: "ws://127.0.0.1:\(server.port)/")
    request.settings.idleTimeout = nil
    let connection = WebSocketConnection(request: request, options: WebSocketOptions(compresses: false), engine: Engine())
    _ = try await connection.open()
    let size = 32 << 20
    let message = Task { try await connection.send(.binary(Array(repeating: 1, count: size))) }
    while await connection.output.given < size { await Task.yield() }
    sending.open()
    await connection.waitForEnd()
    closed.open()
    _ = await message.result
  }

  @Test func `unread compressed WebSocket messages occupy at most 10 MiB of memory`() async throws {
    // 2,048 messages of 1 MiB, each compressed to 1 KiB.
    let deflater = try #require(MessageDeflater(windowBits: 15, keepsContext: false))
    let message = try #require([UInt8](repeating: 0, count: 1 << 20).withUnsafeBytes { deflater.compress($0) })
    let frame = Frame(2, message, isCompressed: true).bytes()
    let bytes = Array(repeatElement(frame, count: 64).joined())
    let server = try FrameServer(fields: ["Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover"]) { peer in
      for _ in 0..<32 { guard peer.send(bytes) else { return } }
      _ = peer.readAll()
    }
    let connection = try await Self.connection(server, WebSocketOptions())
    #expect(await connection.inboxSize <= 10 << 20)
    #expect(try await connection.receive(timeout: nil)?.size == 1 << 20)
    connection.cancel()
    await connection.waitForEnd()
  }

  @Test(arguments: [NetworkingError.Timeout.Limit.idle, .deadline])
  func `if a WebSocket handshake times out, the error names the time limit that was reached`(_ limit: NetworkingError.Timeout.Limit)
    async throws
  {
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 101 ")
      connection.readToEnd()
    }
    var request = TransferRequest(url: "ws://127.0.0.1:\(server.port)/")
    (request.settings.idleTimeout, request.settings.deadline) = limit == .idle ? (.seconds(3), .seconds(60)) : (.seconds(60), .seconds(3))
    let connection = WebSocketConnection(request: request, engine: Engine())
    do throws(NetworkingError) {
      _ = try await connection.open()
      Issue.record("the handshake has no end")
    } catch {
      #expect(error.reason.timeout?.limit == limit && error.reason.timeout?.duration == .seconds(3), "\(error)")
    }
  }

  @Test func `WebSocket connections do not count towards an engine's limit of connections to an origin`() async throws {
    let server = try FrameServer { peer in
      peer.send(Frame(1, Array("hi".utf8)))
      _ = peer.readAll()
    }
    var configuration = EngineConfiguration()
    configuration.connectionsPerOrigin = 1
    let engine = Engine(configuration: configuration)
    var request = TransferRequest(url: "ws://127.0.0.1:\(server.port)/")
    request.settings.deadline = .seconds(60)
    var connections: [WebSocketConnection] = []
    for _ in 0..<3 {
      let connection = WebSocketConnection(request: request, options: WebSocketOptions(compresses: false), engine: engine)
      _ = try await connection.open()
      connections.append(connection)
    }
    for connection in connections {
      #expect(try await connection.receive(timeout: nil) == .text("hi"))
      connection.cancel()
      await connection.waitForEnd()
    }
  }
}

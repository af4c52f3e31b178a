import Dispatch
import FoundationEssentials
import GarlandNetworking
import HTTPTypes
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

/// The limits and the end of WebSocket connections, to a server whose frames the tests decide.
@Suite(.timeLimit(.minutes(15))) struct WebSocketLifeTests {
  typealias Frame = FrameServer.Frame

  let session = Session(.ephemeral)

  private func error(_ operation: () async throws -> Void) async -> NetworkingError? {
    do {
      try await operation()
      return nil
    } catch {
      return error as? NetworkingError
    }
  }

  /// A server that reads nothing until `go` is finished, and then sends the size of each message.
  private func lazyServer() throws -> (server: FrameServer, go: Gate) {
    let gate = Gate()
    let server = try FrameServer { peer in
      gate.wait()
      while let frame = peer.read() {
        if frame.opcode == 2 { peer.send(Frame(1, Array("\(frame.payload.count)".utf8))) }
        if frame.opcode == 8 { return peer.close() }
      }
    }
    return (server, gate)
  }

  private static let large = [UInt8](repeating: 7, count: 32 << 20)

  /// Begins to send more than the system takes, and stops to wait for it.
  private func fill(_ socket: WebSocketTask) async throws {
    try await socket.open()
    let sending = Task { try await socket.send(bytes: Self.large) }
    sending.cancel()
    #expect(await error { try await sending.value }?.reason == .cancelled)
  }

  @Test func `if a task is cancelled while it sends a WebSocket message, the server receives the message nevertheless`() async throws {
    let (server, go) = try lazyServer()
    let socket = session.webSocket("ws://127.0.0.1:\(server.port)/", options: .init(compresses: false))
    try await fill(socket)
    go.open()
    try await socket.send(bytes: [1])
    #expect(try await socket.receive() == .text("\(Self.large.count)"))
    #expect(try await socket.receive() == .text("1"))
  }

  @Test func `if a WebSocket server reads nothing, the client's methods 'close' and 'ping' end at their timeouts`() async throws {
    let (server, go) = try lazyServer()
    defer { go.open() }
    let socket = session.webSocket("ws://127.0.0.1:\(server.port)/", options: .init(compresses: false))
    try await fill(socket)
    #expect(await error { try await socket.ping(timeout: .milliseconds(20)) }?.reason.timeout?.duration == .milliseconds(20))
    #expect(await error { try await socket.close(timeout: .milliseconds(20)) }?.reason.timeout?.duration == .milliseconds(20))
  }

  @Test func `if an automatic ping is due during the closing handshake, the handshake still succeeds`() async throws {
    let (closes, isClosing) = AsyncStream.makeStream(of: Void.self)
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
    let answer = Gate()
    let server = try FrameServer { peer in
      while let frame = peer.read(), frame.opcode != 8 {}
      isClosing.finish()
      answer.wait()
      peer.send(Frame(8, [0x03, 0xE8]))
    }
    var configuration = SessionConfiguration.ephemeral
    configuration.clock = SessionClock(sleep: { _ in for await _ in wakes {} })
    let socket = Session(configuration).webSocket(
      "ws://127.0.0.1:\(server.port)/", options: .init(pingInterval: .milliseconds(1)))
    try await socket.open()
    let closing = Task { try await socket.close(timeout: .seconds(60)) }
    for await _ in closes {}
    wake.finish()
    for _ in 0..<1000 { await Task.yield() }
    answer.open()
    #expect(try await closing.value.code == .normal)
  }

  @Test func `after a WebSocket connection is cancelled, messages that arrived earlier can't be received`() async throws {
    let server = try FrameServer { peer in
      peer.send([Frame(1, [0x61]), Frame(1, [0x62])].flatMap { $0.bytes() })
      _ = peer.readAll()
    }
    let socket = session.webSocket("ws://127.0.0.1:\(server.port)/")
    #expect(try await socket.receive() == .text("a"))
    socket.cancel()
    #expect(await error { _ = try await socket.receive() }?.reason == .cancelled)
  }

  @Test func `if the response to a WebSocket handshake is invalid, the connection is closed`() async throws {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n")
      connection.readToEnd()
      end.finish()
    }
    let attempts = Mutex(0)
    let retrier = Interceptor.retrier { _ in
      attempts.withLock { $0 += 1 }
      return attempts.withLock { $0 } < 2 ? .retry : .doNotRetry
    }
    let socket = session.webSocket("ws://127.0.0.1:\(server.port)/", interceptor: retrier)
    guard case .invalidResponse? = await error({ try await socket.open() })?.reason else {
      Issue.record("it is open")
      return
    }
    // Ends when the server has seen the end of a connection.
    for await _ in ends {}
    withExtendedLifetime(socket) {}
  }

  @Test func `a server that sends a too large WebSocket message receives the close code before the message is complete`() async throws {
    let (frames, add) = AsyncStream.makeStream(of: Frame?.self)
    let server = try FrameServer { peer in
      peer.send(Frame(2, Self.large))
      add.yield(peer.read())
    }
    let socket = session.webSocket("ws://127.0.0.1:\(server.port)/", options: .init(maximumMessageSize: 1000))
    _ = await error { _ = try await socket.receive() }
    for await frame in frames {
      #expect(frame == Frame(8, [0x03, 0xF1]))
      break
    }
  }

  @Test(arguments: [["a b"], ["a", "b", "a"], [""], ["a\r\nX-Injected: 1"]])
  func `a WebSocket handshake with an invalid or repeated subprotocol is refused before it is sent`(_ names: [String]) async throws {
    let socket = session.webSocket("ws://127.0.0.1:9/", options: .init(subprotocols: names))
    #expect(await error { try await socket.open() }?.reason.kind == .invalidRequest)
  }

  @Test func `a WebSocket handshake is refused before it is sent if its URL has the scheme ftp`() async throws {
    #expect(await error { try await self.session.webSocket("ftp://127.0.0.1/").open() }?.reason.kind == .invalidRequest)
  }

  @Test func `the error of a WebSocket connection contains the URL`() async throws {
    let server = try FrameServer { peer in
      _ = peer.read()
      peer.close()
    }
    let socket = session.webSocket("ws://127.0.0.1:\(server.port)/a")
    let url = "http://127.0.0.1:\(server.port)/a"
    #expect(await error { _ = try await socket.receive(timeout: .milliseconds(1)) }?.url == url)
    try await socket.send(text: "")
    #expect(await error { _ = try await socket.receive() }?.url == url)
    #expect(await error { try await socket.send(text: "") }?.url == url)
  }

  // MARK: Opening requests

  private struct Router: URLRequestConvertible {
    var url: String
    func asURLRequest() -> TransferRequest { TransferRequest(url: url, headerFields: [.accept: "router"]) }
  }

  /// Returns the heads of the opening requests.
  private func heads(_ open: (UInt16) -> [WebSocketTask]) async throws -> [String] {
    let heads = Mutex<[String]>([])
    let server = try FrameServer { peer in
      heads.withLock { $0.append(peer.head) }
      peer.send(Frame(1, []))
      _ = peer.readAll()
    }
    for socket in open(server.port) {
      _ = try await socket.receive()
      socket.cancel()
    }
    return heads.withLock { $0 }
  }

  @Test func `the URL of a WebSocket can be a text, a URL value, a URLRequestConvertible enum or a relative URL`() async throws {
    let heads = try await heads { port in
      var configuration = SessionConfiguration.ephemeral
      configuration.baseURL = "ws://127.0.0.1:\(port)/base"
      let url = "ws://127.0.0.1:\(port)/"
      let adapter = Interceptor.adapter { request in
        var request = request
        request.url = url + "adapted"
        return request
      }
      return [
        session.webSocket(url + "text"), URL(string: url + "url").map { session.webSocket($0) },
        session.webSocket(Router(url: url + "router")), session.webSocket("http://127.0.0.1:9/", interceptor: adapter),
        Session(configuration).webSocket("relative"),
      ].compactMap { $0 }
    }
    #expect(heads.map { $0.split(separator: " ")[1] } == ["/text", "/url", "/router", "/adapted", "/base/relative"])
  }

  @Test func `a WebSocket handshake sends header fields whose names are given as strings`() async throws {
    let heads = try await heads { [session.webSocket("ws://127.0.0.1:\($0)/", headers: ["X-Request-ID": "7"])] }
    #expect(heads.allSatisfy { $0.contains("\r\nX-Request-ID: 7\r\n") } && heads.count == 1)
  }

  @Test func `a loop over the messages of a WebSocket throws errors of the type NetworkingError`() async throws {
    let server = try FrameServer { peer in
      peer.send(Frame(1, [0x61]))
      peer.close()
    }
    let socket = session.webSocket("ws://127.0.0.1:\(server.port)/")
    var messages: [WebSocketMessage] = []
    do throws(NetworkingError) {
      for try await message in socket.messages { messages.append(message) }
    } catch {
      #expect(error.reason.kind == .connectionLost)
    }
    #expect(messages == [.text("a")])
  }
}

/// A gate that a thread of a server waits at.
private final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  func wait() { semaphore.wait() }
  func open() { semaphore.signal() }
}

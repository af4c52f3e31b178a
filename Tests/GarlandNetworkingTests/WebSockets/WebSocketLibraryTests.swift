import GarlandNetworking
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

/// Tests WebSocket connections to third-party servers.
@Suite(.timeLimit(.minutes(15))) struct WebSocketLibraryTests {
  typealias Library = WebSocketServer.Library

  let session = Session(.ephemeral)

  private func url(_ library: Library, _ path: String = "/") throws -> String {
    "ws://127.0.0.1:\(try WebSocketServer.shared(library).port)\(path)"
  }

  @Test(arguments: Library.allCases, [true, false])
  func `WebSocket servers echo messages of all sizes, with and without compression`(_ library: Library, _ compresses: Bool) async throws {
    var options = WebSocketOptions()
    options.compresses = compresses
    let socket = session.webSocket(try url(library), options: options)
    let sizes = [0, 1, 125, 126, 65_535, 65_536, 1_000_000]
    for size in sizes {
      let text = String(repeating: "añ😀", count: size / 7)
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) }
      try await socket.send(text: text)
      try await socket.send(bytes: bytes)
      #expect(try await socket.receive() == .text(text))
      #expect(try await socket.receive() == .binary(bytes))
    }
    let fields = try await socket.open().response.headerFields
    #expect(fields.contains { $0.name.canonicalName == "sec-websocket-extensions" } == compresses)
    #expect(try await socket.close(reason: "done").code == .normal)
  }

  @Test(arguments: Library.allCases) func `a ping that a client sends to a WebSocket server is answered with a pong`(_ library: Library)
    async throws
  {
    let socket = session.webSocket(try url(library))
    #expect(try await socket.ping() > .zero)
    #expect(try await socket.ping() > .zero)
    socket.cancel()
  }

  @Test(arguments: Library.allCases)
  func `after the server has closed a WebSocket connection, the client knows the close code and the reason`(_ library: Library)
    async throws
  {
    let socket = session.webSocket(try url(library, "/close"))
    #expect(try await socket.receive() == nil)
    #expect(await socket.closing == WebSocketClose(.init(rawValue: 4001), reason: "as you wish"))
    await #expect(throws: NetworkingError.self) { try await socket.send(text: "late") }
  }

  @Test(arguments: Library.allCases) func `after a WebSocket handshake, the client knows which of its subprotocols the server has chosen`(
    _ library: Library
  ) async throws {
    let socket = session.webSocket(try url(library), options: .init(subprotocols: ["echo.v2", "echo.v1"]))
    let opening = try await socket.open()
    #expect(opening.subprotocol == "echo.v1" && opening.response.status.code == 101)
    try await socket.close()
  }

  @Test(arguments: Library.allCases) func `a refused WebSocket handshake is an error that contains the response`(_ library: Library)
    async throws
  {
    let socket = session.webSocket(try url(library, "/refuse"))
    do throws(NetworkingError) {
      try await socket.open()
      Issue.record("it is open")
    } catch {
      #expect(error.reason == .validation(.unacceptableStatus(403)))
      #expect(error.partialResponse.map { String(decoding: $0.bytes, as: UTF8.self) }?.hasPrefix("not today") == true)
    }
  }

  @Test(arguments: Library.allCases) func `in a WebSocket handshake, an adapter can change the caller's header fields`(_ library: Library)
    async throws
  {
    let adapter = Interceptor.adapter { request in
      var request = request
      request.headerFields[.xTest] = (request.headerFields[.xTest] ?? "") + " adapted"
      return request
    }
    let socket = session.webSocket(try url(library, "/headers"), headers: [.xTest: "given"], interceptor: adapter)
    #expect(try await socket.receive() == .text("given adapted"))
  }

  @Test func `a WebSocket over TLS uses the proxy tunnel and the trust settings of the session`() async throws {
    let (server, certificates) = try WebSocketServer.sharedSecure()
    let proxy = try TunnelProxy(to: server.port)
    for proxied in [false, true] {
      var configuration = SessionConfiguration.ephemeral
      configuration.settings.tls.authorities = certificates.authority
      if proxied { configuration.settings.proxy = .url(proxy.url) }
      let socket = Session(configuration).webSocket("wss://localhost:\(server.port)/")
      try await socket.send(text: "safe")
      #expect(try await socket.receive() == .text("safe"))
      try await socket.close()
    }
    #expect(proxy.heads.map { String($0.prefix { !$0.isNewline }) } == ["CONNECT localhost:\(server.port) HTTP/1.1"])
    do throws(NetworkingError) {
      try await session.webSocket("wss://localhost:\(server.port)/").open()
      Issue.record("an unknown authority was trusted")
    } catch {
      guard case .tls(.untrusted, _) = error.reason else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test func `a WebSocket connection without TLS goes through a CONNECT tunnel of the proxy`() async throws {
    let proxy = try TunnelProxy(to: WebSocketServer.shared(.websockets).port)
    let socket = session.webSocket("ws://example.test/") { $0.settings.proxy = .url(proxy.url) }
    try await socket.send(text: "through")
    #expect(try await socket.receive() == .text("through"))
    try await socket.close()
    #expect(proxy.heads.first?.hasPrefix("CONNECT example.test:80 ") == true)
  }
}

extension HTTPField.Name {
  /// The name of a header field for the test. The literal is a token, so the fallback is never used.
  fileprivate static let xTest = HTTPField.Name("X-Test") ?? .from
}

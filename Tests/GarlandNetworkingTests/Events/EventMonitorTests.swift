import GarlandNetworking
import GarlandSandbox
import TestSupport
import Testing
import TransferTestSupport

@Suite(.timeLimit(.minutes(15))) struct EventMonitorTests {
  struct Recorder: EventMonitor {
    let words = Collected<String>()
    func request(_ request: Request, did event: RequestEvent) {
      let word =
        switch event {
        case .created: "created"
        case .started: "started"
        case .adapted(let request): "adapted \(request.method)"
        case .waitsForConnectivity(let obstacle): "waits: \(obstacle)"
        case .redirected(let hop): "redirected \(hop.status.code)"
        case .transferred(.success(let response)): "transferred \(response.status.code)"
        case .transferred(.failure(let error)): "transferred \(error.reason.kind)"
        case .validated(let error): "validated \(error?.reason.kind.rawValue ?? "ok")"
        case .retrying(let delay, _): "retrying \(delay)"
        case .retryRefused(let refusal): "refused \(refusal)"
        case .suspended: "suspended"
        case .resumed: "resumed"
        case .cancelled: "cancelled"
        case .finished(let error): "finished \(error?.reason.kind.rawValue ?? "ok")"
        case .serialized(_, let failure): "serialized \(failure?.reason.kind.rawValue ?? "ok")"
        case .warned(let warning): "warned \(warning)"
        }
      words.add(word)
    }
  }

  /// Records the events of WebSocket connections, and ends the record with the last event of a connection.
  struct ConnectionRecorder: EventMonitor {
    let words: AsyncStream<String>
    private let record: AsyncStream<String>.Continuation

    init() { (words, record) = AsyncStream.makeStream(of: String.self) }

    func request(_ request: Request, did event: RequestEvent) { record.yield("\(request)") }

    func webSocket(_ connection: WebSocketEvent.Connection, did event: WebSocketEvent) {
      switch event {
      case .created: record.yield("created \(connection.url.split(separator: ":").last ?? "")")
      case .started: record.yield("started")
      case .adapted(let request): record.yield("adapted \(request.headerFields[.from] ?? "")")
      case .answered(.success(let response)): record.yield("answered \(response.status.code)")
      case .answered(.failure(let error)): record.yield("answered \(error.reason.kind)")
      case .retrying(let delay, let error): record.yield("retrying \(delay) \(error.reason.kind)")
      case .retryRefused(let refusal): record.yield("refused \(refusal)")
      case .opened(let subprotocol): record.yield("opened \(subprotocol ?? "")")
      case .cancelled: record.yield("cancelled")
      case .finished(let result):
        switch result {
        case .success(let close): record.yield("finished \(close.code)")
        case .failure(let error): record.yield("finished \(error.reason.kind)")
        }
        record.finish()
      }
    }

    /// Waits for the last event and returns all of them.
    var all: [String] {
      get async { await words.reduce(into: []) { $0.append($1) } }
    }
  }

  private func connections(
    _ recorder: ConnectionRecorder, _ interceptor: (any RequestInterceptor)? = nil
  ) -> Session {
    var configuration = SessionConfiguration.ephemeral
    configuration.eventMonitors = [recorder]
    configuration.clock = TestClock().session
    configuration.interceptor = interceptor
    return Session(configuration)
  }

  private func configuration(_ recorder: Recorder) -> SessionConfiguration {
    var configuration = SessionConfiguration.ephemeral
    configuration.eventMonitors = [recorder]
    configuration.clock = TestClock().session
    configuration.interceptor = RetryPolicy(limit: 1, random: { 0 })
    return configuration
  }

  @Test func `an event monitor is notified of each stage of a request`() async throws {
    let recorder = Recorder()
    try await withSandbox(configuration(recorder)) { (session, sandbox) async throws in
      _ = try await session.request(sandbox.url + "/redirect/1").validate().json
      #expect(
        recorder.words.all == [
          "created", "started", "adapted GET", "redirected 302", "transferred 200", "validated ok", "finished ok", "serialized ok",
        ])
    }
  }

  @Test func `an event monitor is notified of errors and retry decisions`() async throws {
    let recorder = Recorder()
    try await withSandbox(configuration(recorder)) { (session, sandbox) async throws in
      _ = await session.request(sandbox.url + "/status/503").validate().response()
      #expect(
        recorder.words.all == [
          "created", "started", "adapted GET", "transferred 503", "validated validation", "retrying 0.5 seconds", "adapted GET",
          "transferred 503", "validated validation", "refused retried once", "finished validation",
        ])
    }
  }

  @Test func `an event monitor is notified when a request is suspended, resumed or cancelled`() async throws {
    let recorder = Recorder()
    try await withSandbox(configuration(recorder)) { (session, sandbox) async throws in
      let request = session.request(sandbox.url + "/delay/5").suspend().suspend()
      request.resume().suspend().resume()
      request.cancel()
      _ = await request.response()
      // Whether the transfer has begun depends on timing.
      #expect(
        recorder.words.all.filter { !$0.hasPrefix("adapted") && !$0.hasPrefix("transferred") }
          == ["created", "suspended", "started", "suspended", "resumed", "cancelled", "finished cancelled"])
      #expect(await session.request(sandbox.url + "/bytes/5").response(of: Int.self).error?.reason.kind == .serialization)
      #expect(recorder.words.all.last == "serialized serialization")
    }
  }

  // MARK: WebSocket connections

  @Test func `an event monitor is notified of each stage of a WebSocket connection`() async throws {
    let server = try FrameServer(fields: ["Sec-WebSocket-Protocol: chat"]) { peer in
      peer.send(FrameServer.Frame(8, [0x0F, 0xA0]))
      _ = peer.readAll()
    }
    let recorder = ConnectionRecorder()
    let adapter = Interceptor.adapter { request in
      var request = request
      request.headerFields[.from] = "me"
      return request
    }
    let socket = connections(recorder, adapter).webSocket(
      "ws://alice:secret@127.0.0.1:\(server.port)/a", options: .init(subprotocols: ["chat"]))
    #expect(try await socket.receive() == nil)
    // The URL has no password.
    #expect(
      await recorder.all == ["created \(server.port)/a", "started", "adapted me", "answered 101", "opened chat", "finished 4000"])
  }

  @Test func `an event monitor is notified of the refusals and retries of a WebSocket connection`() async throws {
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")
    }
    let recorder = ConnectionRecorder()
    let session = connections(recorder, RetryPolicy(limit: 1, random: { 0 }))
    await #expect(throws: NetworkingError.self) { try await session.webSocket("ws://127.0.0.1:\(server.port)/").open() }
    #expect(
      await recorder.all == [
        "created \(server.port)/", "started", "adapted ", "answered 503", "retrying 0.5 seconds validation", "adapted ", "answered 503",
        "refused retried once", "finished validation",
      ])
  }

  /// A way in which a connection ends.
  enum End: CaseIterable { case cancelled, closed, released }

  @Test(arguments: End.allCases)
  func `the event monitor receives a last event when a WebSocket connection is cancelled, closed or released`(_ end: End) async throws {
    let server = try FrameServer { peer in
      while let frame = peer.read() {
        peer.send(frame)
        if frame.opcode == 8 { return }
      }
    }
    let recorder = ConnectionRecorder()
    do {
      let socket = connections(recorder).webSocket("ws://127.0.0.1:\(server.port)/")
      try await socket.open()
      switch end {
      case .cancelled: socket.cancel()
      case .closed: try await socket.close()
      case .released: break
      }
    }
    let last =
      switch end {
      case .cancelled: ["cancelled", "finished cancelled"]
      case .closed: ["finished 1000"]
      case .released: ["finished cancelled"]
      }
    #expect(await recorder.all == ["created \(server.port)/", "started", "adapted ", "answered 101", "opened "] + last)
  }

  @Test func `if a WebSocket connection is cancelled before it opens, the event monitor is notified of the cancellation`() async {
    let recorder = ConnectionRecorder()
    connections(recorder).webSocket("ws://127.0.0.1:9/a").cancel()
    #expect(await recorder.all == ["created 9/a", "cancelled", "finished cancelled"])
  }
}

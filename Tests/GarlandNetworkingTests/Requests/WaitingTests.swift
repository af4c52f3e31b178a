import GarlandNetworking
import GarlandSandbox
import TestSupport
import Testing
import TransferTestSupport

/// Tests requests that must wait, and requests that end while they wait.
@Suite(.timeLimit(.minutes(15))) struct WaitingTests {
  @Test func `if a request is cancelled during its start delay, its adapter is not called and nothing is sent`() async throws {
    let waiting = TestGate()
    var configuration = SessionConfiguration.ephemeral
    configuration.clock = SessionClock(sleep: { _ in
      waiting.open()
      // A gate that nobody opens.
      await TestGate().wait()
      try Task.checkCancellation()
    })
    try await withSandbox(configuration) { (session, sandbox) async throws in
      // A request that will not be sent is not prepared: a token would be fetched in vain.
      let adapted = Collected<String>()
      let adapter = Interceptor(adapting: { request in
        adapted.add(request.url)
        return request
      })
      let request = session.request(sandbox.url + "/get", interceptor: adapter).begins(after: .seconds(3600)).resume()
      await waiting.wait()
      request.cancel()
      #expect(await request.response().error?.reason == .cancelled)
      #expect(adapted.all.isEmpty)
      #expect(sandbox.records.isEmpty)
    }
  }

  /// The test uses the limit of six connections. A waiting request keeps its deadline, can be cancelled, and
  /// leaves no gap in the queue.
  @Test func `a request that waits for a connection ends when it is cancelled or when its deadline is exceeded`() async throws {
    let server = try HoldingServer()
    var configuration = SessionConfiguration.ephemeral
    configuration.connectionsPerOrigin = 1
    let session = Session(configuration)
    let holder = session.request(server.url + "/holder").resume()
    await server.holds.wait()
    let cancelled = session.request(server.url + "/cancelled").resume()
    let late = session.request(server.url + "/late") { $0.settings.deadline = .milliseconds(50) }
    let last = session.request(server.url + "/last").resume()
    #expect(await late.response().error?.reason == .timeout(.init(limit: .deadline, phase: .waiting, duration: .milliseconds(50))))
    cancelled.cancel()
    #expect(await cancelled.response().error?.reason == .cancelled)
    server.mayGo.open()
    #expect(await holder.response().status == 200)
    #expect(await last.response().status == 200)
    #expect(server.targets.all == ["holder", "last"])
    #expect(server.connectionCount == 1)
  }

  /// If the caller limits the number of concurrent requests, the time in the queue does not count.
  @Test(arguments: [false, true])
  func `with waitingCountsForDeadlines off, the wait for a free connection does not count towards the deadline`(_ isRedirected: Bool)
    async throws
  {
    let server = try HoldingServer()
    let target = server.url
    let other = try RawServer { connection in
      while connection.readRequest() != nil {
        connection.send("HTTP/1.1 302 Found\r\nLocation: \(target)/late\r\nContent-Length: 0\r\n\r\n")
      }
    }
    var configuration = EngineConfiguration()
    configuration.connectionsPerOrigin = 1
    configuration.waitingCountsForDeadlines = false
    let engine = Engine(configuration: configuration)
    var request = TransferRequest(url: isRedirected ? other.url : server.url + "/late")
    request.settings.deadline = .seconds(3)
    // All requests are enqueued at once, so that the one that keeps the connection is first.
    _ = engine.start(TransferRequest(url: server.url + "/holder")) { _ in }
    // The engine calls this action after a deadline that counts the wait.
    engine.schedule(after: .seconds(4)) { server.mayGo.open() }
    let response = try await engine.response(for: request)
    #expect(response.status == .ok)
    #expect(response.duration < response.metrics.total, "the time in the queue is not the response's")
  }
}

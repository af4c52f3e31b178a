import GarlandNetworking
import GarlandSandbox
import HTTPTypes
import TestSupport
import Testing

/// Suspending, cancelling, waiting, priorities.
@Suite(.timeLimit(.minutes(1))) struct SteeringTests {
  @Test func cancelsWithItsOnlyTask() async throws {
    let server = try RawServer { $0.readToEnd() }
    let session = Session(.ephemeral)
    let request = session.request(server.url)
    let task = Task { await request.response() }
    task.cancel()
    #expect(await task.value.error?.reason == .cancelled)
    // A task that was cancelled before it waited has not waited; one that had has cancelled the request.
    #expect(request.state == .cancelled || request.state == .initialized || request.state == .running)
  }

  @Test func goesOnUntilTheLastOneLeaves() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let request = session.request(sandbox.url + "/delay/0.2")
      let first = Task { await request.response() }
      let second = Task { await request.response() }
      while sandbox.records.isEmpty { await Task.yield() }
      first.cancel()
      #expect(await first.value.error?.reason == .cancelled)
      #expect(await second.value.status == 200)
      #expect(request.state == .finished)
    }
  }

  @Test func theLastOneToLeaveCancelsTheTransfer() async throws {
    let closed = Gate()
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.readToEnd()
      closed.open()
    }
    let request = Session(.ephemeral).request(server.url)
    let tasks = (0..<3).map { _ in Task { await request.response() } }
    while server.connectionCount == 0 { await Task.yield() }
    for task in tasks { task.cancel() }
    for task in tasks { #expect(await task.value.error?.reason == .cancelled) }
    #expect(request.state == .cancelled)
    await closed.wait()
  }

  @Test func suspendsAndResumes() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let request = session.request(sandbox.url + "/get").suspend()
      let waiting = Task { await request.response() }
      let other = await session.request(sandbox.url + "/uuid").response()
      #expect(other.status == 200)
      #expect(request.state == .suspended)
      #expect(sandbox.records.map(\.target) == ["/uuid"])
      request.resume()
      #expect(await waiting.value.status == 200)
    }
  }

  @Test func suspendsInTheMiddleOfABody() async throws {
    let size = 32 << 20
    let body = [UInt8](repeating: 7, count: 1 << 20)
    let sent = Collected<Int>()
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
      for index in 0..<32 {
        guard connection.send(body) else { return }
        sent.add(index)
      }
    }
    var configuration = SessionConfiguration.ephemeral
    configuration.settings.idleTimeout = .milliseconds(100)
    let session = Session(configuration)
    let request = session.request(server.url)
    var progress = request.downloadProgress.makeAsyncIterator()
    request.resume()
    _ = await progress.next()
    request.suspend()
    // Longer than the idle timeout, which stands still.
    try await Task.sleep(for: .milliseconds(250))
    #expect(request.state == .suspended)
    #expect(sent.all.count < 32)
    request.resume()
    #expect(try await request.data.count == size)
  }

  @Test func beginsNotBeforeItsTime() async throws {
    let clock = TestClock()
    var configuration = SessionConfiguration.ephemeral
    configuration.clock = clock.session
    try await withSandbox(configuration) { (session, sandbox) async throws in
      let response = await session.request(sandbox.url + "/get").begins(after: .seconds(3600)).response()
      #expect(response.status == 200)
      #expect(clock.waits == [.seconds(3600)])
    }
  }

  @Test func theUrgentGoFirst() async throws {
    var configuration = SessionConfiguration.ephemeral
    configuration.connectionsPerOrigin = 1
    try await withSandbox(configuration) { (session, sandbox) async throws in
      let blocker = session.request(sandbox.url + "/delay/0.2").resume()
      while sandbox.records.isEmpty { await Task.yield() }
      let requests = [("low", TransferPriority.low), ("normal1", .normal), ("normal2", .normal), ("high", .high)].map { name, priority in
        let request = session.request(sandbox.url + "/anything/\(name)").priority(priority)
        return request
      }
      // Begun one after the other: each driver hands its transfer over before the next is started.
      for request in requests {
        request.resume()
        while request.request?.settings.priority == nil { await Task.yield() }
        try await Task.sleep(for: .milliseconds(10))
      }
      for request in requests { #expect(await request.response().status == 200) }
      _ = await blocker.response()
      #expect(sandbox.records.dropFirst().map { $0.target.split(separator: "/").last ?? "" } == ["high", "normal1", "normal2", "low"])
    }
  }

  @Test func tellsProgress() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let steps = Collected<RequestProgress>()
      let request = session.upload([UInt8](repeating: 1, count: 3 << 20), to: sandbox.url + "/upload")
      let progress = request.uploadProgress
      let reader = Task { for await step in progress { steps.add(step) } }
      #expect(try await request.validate().json["size"] == 3_145_728)
      await reader.value
      #expect(steps.all.last == .init(completed: 3 << 20, total: 3 << 20))
      #expect(steps.all.last?.fraction == 1)
      #expect(steps.all.map(\.completed) == steps.all.map(\.completed).sorted())
      let download = session.request(sandbox.url + "/bytes/100000")
      _ = try await download.data
      var last: RequestProgress?
      for await step in download.downloadProgress { last = step }
      #expect(last == RequestProgress(completed: 100_000, total: 100_000))
    }
  }

  @Test func hasADeadlineForAllOfIt() async throws {
    var configuration = SessionConfiguration.ephemeral
    configuration.settings.deadline = .milliseconds(100)
    let server = try RawServer { $0.readToEnd() }
    let response = await Session(configuration).request(server.url).response()
    #expect(response.error?.reason.timeout?.limit == .deadline)
  }
}

/// Something that happens once, and that a test waits for.
final class Gate: Sendable {
  private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
  func open() { continuation.finish() }
  func wait() async { for await _ in stream {} }
}

import Dispatch
import GarlandNetworking
import GarlandSandbox
import HTTPTypes
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

/// Tests suspending, cancelling, waiting and priorities.
@Suite(.timeLimit(.minutes(15))) struct SteeringTests {
  /// A configuration without timeouts: the servers stay silent for the whole test, on any machine.
  private var patient: SessionConfiguration {
    var configuration = SessionConfiguration.ephemeral
    configuration.settings.idleTimeout = nil
    return configuration
  }

  @Test func `cancelling the only task that waits for a request cancels the request`() async throws {
    let server = try RawServer { $0.readToEnd() }
    let session = Session(patient)
    let request = session.request(server.url)
    let task = Task { await request.response() }
    task.cancel()
    #expect(await task.value.error?.reason == .cancelled)
    // A task cancelled before it waits does not count; one cancelled later has cancelled the
    // request.
    #expect(request.state == .cancelled || request.state == .initialized || request.state == .running)
  }

  @Test func `if two tasks wait for a request and one task is cancelled, the request continues for the other task`() async throws {
    let mayAnswer = TestGate()
    let server = try RawServer { connection in
      _ = connection.readHead()
      mayAnswer.block()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
    let request = Session(patient).request(server.url)
    let first = Task { await request.response() }
    let second = Task { await request.response() }
    while server.connectionCount == 0 { await Task.yield() }
    first.cancel()
    #expect(await first.value.error?.reason == .cancelled)
    mayAnswer.open()
    #expect(await second.value.status == 200)
    #expect(request.state == .finished)
  }

  @Test func `a request's transfer is cancelled when the last task that waits for the request is cancelled`() async throws {
    let closed = TestGate()
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.readToEnd()
      closed.open()
    }
    let request = Session(patient).request(server.url)
    let tasks = (0..<3).map { _ in Task { await request.response() } }
    while server.connectionCount == 0 { await Task.yield() }
    for task in tasks { task.cancel() }
    for task in tasks { #expect(await task.value.error?.reason == .cancelled) }
    #expect(request.state == .cancelled)
    await closed.wait()
  }

  @Test func `a task that is cancelled before it begins to wait for a response receives a cancellation error`() async throws {
    let server = try RawServer { $0.readToEnd() }
    let session = Session(patient)
    for _ in 0..<50 {
      let engineTask = Task {
        while !Task.isCancelled { await Task.yield() }
        return await #expect(throws: NetworkingError.self) { try await session.engine.response(for: TransferRequest(url: server.url)) }
      }
      let sessionTask = Task {
        while !Task.isCancelled { await Task.yield() }
        return await session.request(server.url).response()
      }
      engineTask.cancel()
      sessionTask.cancel()
      #expect(await engineTask.value?.reason == .cancelled)
      #expect(await sessionTask.value.error?.reason == .cancelled)
    }
  }

  @Test func `a suspended request is sent only after resume`() async throws {
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

  @Test func `if a transfer is suspended in the middle of a body, it stops receiving`() async throws {
    let size = 32 << 20
    let body = [UInt8](repeating: 7, count: 1 << 20)
    let sent = Collected<Int>()
    let mayGo = TestGate()
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
      connection.send(body)
      mayGo.block()
      for index in 1..<32 {
        guard connection.send(body) else { return }
        sent.add(index)
      }
    }
    let session = Session(patient)
    let request = session.request(server.url)
    var progress = request.downloadProgress.makeAsyncIterator()
    request.resume()
    _ = await progress.next()
    request.suspend()
    mayGo.open()
    // Other requests continue; this one reads nothing, and the network's buffers do not hold 32 MB.
    let other = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
      connection.send(body)
    }
    for _ in 0..<5 { #expect(await session.request(other.url).response().status == 200) }
    #expect(request.state == .suspended)
    #expect(sent.all.count < 31)
    request.resume()
    #expect(try await request.data.count == size)
  }

  @Test func `a request with a delay begins after the delay`() async throws {
    let clock = TestClock()
    var configuration = SessionConfiguration.ephemeral
    configuration.clock = clock.session
    try await withSandbox(configuration) { (session, sandbox) async throws in
      let response = await session.request(sandbox.url + "/get").begins(after: .seconds(3600)).response()
      #expect(response.status == 200)
      #expect(clock.waits == [.seconds(3600)])
    }
  }

  @Test func `queued requests begin in order of priority`() async throws {
    let server = try HoldingServer()
    var configuration = EngineConfiguration()
    configuration.connectionsPerOrigin = 1
    let engine = Engine(configuration: configuration)
    var blocker = TransferRequest(url: server.url + "/holder")
    blocker.settings.idleTimeout = nil
    engine.start(blocker) { _ in }
    await server.holds.wait()
    let done = Collected<Int>()
    let allDone = TestGate()
    for (name, priority) in [("low", TransferPriority.low), ("normal1", .normal), ("high1", .high), ("normal2", .normal), ("high2", .high)]
    {
      var request = TransferRequest(url: server.url + "/" + name)
      request.settings.priority = priority
      request.settings.idleTimeout = nil
      engine.start(request) { _ in
        done.add(1)
        if done.all.count == 5 { allDone.open() }
      }
    }
    engine.perform { server.mayGo.open() }
    await allDone.wait()
    #expect(server.targets.all == ["holder", "high1", "high2", "normal1", "normal2", "low"])
  }

  @Test func `the priority of a request becomes the priority of its transfer`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let request = session.request(sandbox.url + "/get").priority(.high)
      #expect(await request.response().status == 200)
      #expect(request.request?.settings.priority == .high)
    }
  }

  @Test func `a session opens at most six connections to one origin`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let requests = (0..<30).map { _ in session.request(sandbox.url + "/delay/0.01").resume() }
      for request in requests { #expect(await request.response().status == 200) }
      #expect(sandbox.connections.peak == 6)
    }
  }

  @Test func `the metrics of a request show whether its connection is new, reused or refused`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let first = try #require(await session.request(sandbox.url + "/bytes/1000").response().metrics.first?.transactions.first)
      #expect(!first.isReused)
      #expect(first.connect != nil)
      #expect(first.secure == nil)
      #expect(first.responseBodyBytes == 1000)
      let second = try #require(await session.request(sandbox.url + "/gzip").response().metrics.first?.transactions.first)
      #expect(second.isReused)
      #expect(second.connect == nil)
      #expect(second.localPort == first.localPort)
      let refused = await session.request("http://127.0.0.1:1/").response()
      #expect(refused.metrics.first?.transactions.first?.firstByte == nil)
    }
  }

  @Test func `finished and cancelled requests are released from memory`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      var generator = SeededRandom(seed: 3)
      let left = Remains()
      for _ in 0..<200 {
        let request = session.request(sandbox.url + "/bytes/20000")
        left.add(request)
        let task = Task { await request.response() }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: task.cancel()
        case 1: request.cancel()
        case 2:
          request.suspend()
          request.resume()
        default: break
        }
        _ = await task.value
        // The only waiting task has cancelled the request, which may still be ending.
        _ = await request.cancel().response()
      }
      #expect(session.runningRequests.isEmpty)
      while left.count > 0 { await Task.yield() }
    }
  }

  @Test func `the last reported progress of an upload or a download is the total number of bytes`() async throws {
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

  /// The last progress is reported even if it follows another one closely and nothing more arrives.
  @Test func `the download progress includes the last received piece even if the server then sends nothing more`() async throws {
    let mayGo = TestGate()
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na")
      mayGo.block()
      connection.send("b")
      connection.readToEnd()
    }
    let request = Session(patient).request(server.url)
    var progress = request.downloadProgress.makeAsyncIterator()
    request.resume()
    while let step = await progress.next(), step.completed < 1 {}
    mayGo.open()
    while let step = await progress.next(), step.completed < 2 {}
    #expect(request.state == .running)
    request.cancel()
    #expect(await request.response().error?.reason == .cancelled)
  }

  @Test func `if the upload or the download of a request is complete, its progress closure receives the fraction 1`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let sent = Collected<Int64>()
      let isAllSent = TestGate()
      let isAllReceived = TestGate()
      let request = session.upload([UInt8](repeating: 1, count: 300_000), to: sandbox.url + "/anything").onUploadProgress { progress in
        sent.add(progress.completed)
        if progress.fraction == 1 { isAllSent.open() }
      }.onDownloadProgress { if $0.fraction == 1 { isAllReceived.open() } }
      _ = try await request.data
      await isAllSent.wait()
      await isAllReceived.wait()
      #expect(sent.all.last == 300_000)
    }
  }

  @Test func `a deadline limits the total duration of a request`() async throws {
    var configuration = SessionConfiguration.ephemeral
    configuration.settings.deadline = .milliseconds(100)
    let server = try RawServer { $0.readToEnd() }
    let response = await Session(configuration).request(server.url).response()
    #expect(response.error?.reason.timeout?.limit == .deadline)
  }
}

/// Counts the requests that were not released yet.
final class Remains: Sendable {
  private struct Reference: Sendable { weak let request: Request? }
  private let state = Mutex<[Reference]>([])
  func add(_ request: Request) { state.withLock { $0.append(Reference(request: request)) } }
  var count: Int { state.withLock { $0.count { $0.request != nil } } }
}

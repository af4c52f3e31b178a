import GarlandTransfer
import Glibc
import TestSupport
import Testing
import TransferTestSupport

/// Tests the engine's thread as an executor, and the end of the thread.
@Suite(.timeLimit(.minutes(15))) struct EngineThreadTests {
  private actor Counter {
    let engine: Engine
    private(set) var count = 0
    init(engine: Engine) { self.engine = engine }
    nonisolated var unownedExecutor: UnownedSerialExecutor { engine.unownedExecutor }
    func add() -> Bool {
      count += 1
      return engine.isCurrent
    }
    nonisolated func note() { assumeIsolated { $0.count += 1 } }
    /// Whether the thread does other work between two jobs before the continuation runs.
    func isInterrupted() async -> Bool {
      let done = Collected<Int>()
      engine.perform { done.add(1) }
      return await withUnsafeContinuation { $0.resume(returning: !done.all.isEmpty) }
    }
  }

  @Test func `a Swift actor that uses the executor of a transfer engine runs on the engine's thread`() async throws {
    let server = try PlainServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    let engine = Engine()
    let counter = Counter(engine: engine)
    #expect(await counter.add())
    let arrived = TestGate()
    engine.start(TransferRequest(url: server.url)) { _ in
      // Runs within libcurl's loop without a thread change.
      counter.note()
      arrived.open()
    }
    await arrived.wait()
    #expect(await counter.count == 2)
    // A check followed by a wait is not interrupted.
    #expect(await !counter.isInterrupted())
    #expect(!engine.isCurrent)
    let isThere = await Task(executorPreference: engine.taskExecutor) { engine.isCurrent }.value
    #expect(isThere)
  }

  /// A task on the engine's thread that never waits must still let the network run.
  @Test func `a task that yields all the time on the thread of the networking engine does not block the network`() async throws {
    let server = try PlainServer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
    let engine = Engine()
    let done = Collected<Int>()
    let spinning = Task(executorPreference: engine.taskExecutor) {
      var turns = 0
      while done.all.isEmpty, !Task.isCancelled {
        await Task.yield()
        turns += 1
      }
      return turns
    }
    let timer = TestGate()
    engine.schedule(after: .milliseconds(5)) { timer.open() }
    await timer.wait()
    let response = try await engine.response(for: TransferRequest(url: server.url))
    #expect(response.bytes.count == 5)
    done.add(1)
    #expect(await spinning.value > 0)
  }

  /// `exit` with transfers in every state neither crashes nor hangs.
  @Test func `a process with running transfers exits without a crash`() async throws {
    let silent = try RawServer { $0.readToEnd() }
    let nginx = try NginxServer.shared()
    // The memory ends with the process, so AddressSanitizer reports no leaks.
    let child = try ChildRole.start(
      "exits", test: "a process that exits during 200 transfers does not crash",
      ["SILENT": silent.url, "QUICK": nginx.secureURL],
      environment: ["ASAN_OPTIONS": "detect_leaks=0"])
    let result = await child.result
    #expect(result.status == 3, "\(result.output.suffix(2_000))\(result.error.suffix(2_000))")
    #expect(result.output.contains("leaving"))
  }

  @Test(.enabled(if: ChildRole.current == "exits"))
  func `a process that exits during 200 transfers does not crash`()
    async throws
  {
    let engine = Engine()
    let arrived = TestGate()
    for index in 0..<200 {
      var request = TransferRequest(url: ChildRole.value(index.isMultiple(of: 2) ? "QUICK" : "SILENT") + "/json")
      request.settings.tls.verifies = false
      let isLast = index == 198
      engine.start(request) { _ in if isLast { arrived.open() } }
    }
    await arrived.wait()
    ChildRole.say("leaving")
    exit(3)
  }
}

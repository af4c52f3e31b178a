import GarlandSandbox
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

@testable import GarlandNetworking
@testable import GarlandTransfer

/// Tests an engine with several threads, with each origin on one of the threads.
@Suite(.timeLimit(.minutes(15))) struct SeveralThreadsTests {
  private static func engine(threads: Int, connections: Int = 6) -> Engine {
    var configuration = EngineConfiguration()
    configuration.threads = threads
    configuration.connectionsPerOrigin = connections
    return Engine(configuration: configuration)
  }

  private func withSandboxes(_ count: Int, _ body: ([Sandbox]) async throws -> Void) async throws {
    var sandboxes: [Sandbox] = []
    for _ in 0..<count { sandboxes.append(try await Sandbox.start()) }
    try await body(sandboxes)
    for sandbox in sandboxes { await sandbox.stop() }
  }

  /// The connection limit applies per thread: an origin on two threads would have two connections.
  @Test func `requests to one origin share one engine thread and its connections`() async throws {
    try await withSandboxes(3) { sandboxes in
      let engine = Self.engine(threads: 2, connections: 1)
      var ports: [Set<Int>] = [[], [], []]
      try await withThrowingTaskGroup(of: (Int, Int?).self) { group in
        for number in 0..<30 {
          group.addTask {
            // Every second URL has another spelling.
            var url = sandboxes[number % 3].url
            if number % 2 == 1 { url = url.replacing("http://", with: "HTTP://user@") }
            let response = try await engine.response(for: TransferRequest(url: url + "/get?n=\(number)"))
            #expect(response.status == .ok)
            return (number % 3, response.metrics.transactions.last?.localPort)
          }
        }
        for try await (origin, port) in group { ports[origin].insert(try #require(port)) }
      }
      #expect(ports.map(\.count) == [1, 1, 1])
      engine.shutDown()
    }
  }

  @Test func `each new origin is assigned to the next engine thread and keeps this thread`() throws {
    var configuration = EngineConfiguration()
    configuration.threads = 3
    let first = EngineLoop(configuration: configuration)
    let shards = try #require(OriginShards(first, configuration))
    #expect(shards.loops.count == 3 && shards.loops[0] === first)
    func number(_ url: String) -> Int? { shards.loops.firstIndex { $0 === shards.loop(for: url) } }
    #expect((0..<6).map { number("https://host\($0)/") } == [0, 1, 2, 0, 1, 2])
    #expect((0..<6).map { number("https://host\($0)/again?x") } == [0, 1, 2, 0, 1, 2])
    #expect(number("no url") == 0)
    // Origins beyond the remembered ones have a fixed thread too.
    for host in 0..<10_000 { _ = number("http://h\(host)") }
    #expect((0..<10_000).allSatisfy { number("http://h\($0)") == number("http://h\($0)/x") })
    #expect(OriginShards(first, EngineConfiguration()) == nil)
  }

  @Test(
    arguments: [
      ("http://a/b", "http://a"), ("HTTP://A:80?x", "http://a"), ("https://a:443#f", "https://a"), ("https://a:80/", "https://a:80"),
      ("http://u:p@a:81/", "http://a:81"), ("http://[::1]:80/", "http://[::1]"), ("http://[::1]", "http://[::1]"),
      ("ftp://a/x@y", "ftp://a"),
      ("http://:80/", "http://:80"), ("http:///x", nil), ("/a", nil), ("", nil), ("data:text/plain,x://y", nil),
    ] as [(String, String?)])
  func `an origin consists of scheme, host and port`(_ url: String, _ origin: String?) {
    #expect(OriginShards.origin(of: url).map { String(decoding: $0, as: UTF8.self) } == origin)
  }

  @Test func `in an engine with several threads, completion and progress closures run on the first thread`() async throws {
    try await withSandboxes(3) { sandboxes in
      let engine = Self.engine(threads: 3)
      let seen = Collected<String>()
      await withTaskGroup { group in
        for sandbox in sandboxes {
          group.addTask {
            await withUnsafeContinuation { continuation in
              engine.start(TransferRequest(url: sandbox.url + "/bytes/100000")) { _ in
                seen.add("progress \(engine.isCurrent)")
              } completion: { result in
                seen.add("end \(engine.isCurrent) \((try? result.get())?.bytes.count ?? 0)")
                continuation.resume()
              }
            }
          }
        }
      }
      #expect(Set(seen.all) == ["progress true", "end true 100000"])
      #expect(seen.all.count { $0.hasPrefix("end") } == 3)
      engine.shutDown()
    }
  }

  /// Cookies belong to a host, not to its port.
  @Test func `a cookie that one engine thread receives is sent by the other engine threads`() async throws {
    try await withSandboxes(2) { sandboxes in
      let engine = Self.engine(threads: 2)
      let session = Session(.ephemeral, engine: engine)
      _ = await session.request(sandboxes[0].url + "/cookies/set?taste=sweet").response()
      let data = await session.request(sandboxes[1].url + "/cookies").response()
      let bytes = try data.result.get()
      #expect(String(decoding: bytes, as: UTF8.self).contains("sweet"))
      engine.shutDown()
    }
  }

  @Test func `a transfer can be cancelled from any thread of the program`() async throws {
    let silent = try (0..<3).map { _ in try RawServer { $0.readToEnd() } }
    let engine = Self.engine(threads: 3)
    for server in silent {
      let error: NetworkingError.Reason? = await withUnsafeContinuation { continuation in
        let handle = engine.start(TransferRequest(url: server.url)) { result in
          if case .failure(let error) = result { continuation.resume(returning: error.reason) } else { continuation.resume(returning: nil) }
        }
        handle.cancel()
      }
      #expect(error == .cancelled)
    }
    engine.shutDown()
  }

  @Test func `the method shutDown waits until the completion closures on every engine thread have returned`() async throws {
    let silent = try (0..<3).map { _ in try RawServer { $0.readToEnd() } }
    let engine = Self.engine(threads: 3)
    let ended = Collected<NetworkingError.Reason?>()
    for server in silent {
      engine.start(TransferRequest(url: server.url)) { result in
        if case .failure(let error) = result { ended.add(error.reason) } else { ended.add(nil) }
      }
    }
    engine.shutDown()
    #expect(ended.all == [.shutDown, .shutDown, .shutDown])
  }

  /// A hosted engine works while a thread runs it, and waits otherwise.
  @Test func `an HTTP engine without its own thread transfers data only during a call of the engine's method 'run'`() async throws {
    let closed = TestGate()
    let server = try RawServer { connection in
      while connection.readRequest() != nil { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello") }
      closed.open()
    }
    let engine = Engine.hosted(EngineConfiguration())
    let seen = Collected<String>()
    for _ in 0..<2 {
      engine.start(TransferRequest(url: server.url)) { result in
        seen.add("\(engine.isCurrent) \((try? result.get())?.bytes.count ?? 0)")
      }
      #expect(!engine.isCurrent)
      let before = seen.all.count
      engine.run { seen.all.count == before }
    }
    #expect(seen.all == ["true 5", "true 5"])
    engine.perform { seen.add("later") }
    #expect(seen.all.count == 2)
    engine.run { seen.all.count == 2 }
    #expect(seen.all.last == "later")
    // The next run releases its handles and connections.
    engine.shutDown()
    engine.run { false }
    await closed.wait()
  }
}

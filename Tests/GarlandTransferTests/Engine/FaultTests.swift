import GarlandTransfer
import HTTPTypes
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

/// Tests faults of servers on the network, and the errors of the engine.
@Suite(.timeLimit(.minutes(15))) struct FaultTests {
  let engine = Engine()

  private func failure(
    _ configure: (inout TransferRequest) -> Void = { _ in }, _ handler: @escaping @Sendable (RawConnection) -> Void
  ) async throws -> NetworkingError? {
    let server = try RawServer { connection in
      _ = connection.readRequest()
      handler(connection)
    }
    var request = TransferRequest(url: server.url)
    configure(&request)
    return await #expect(throws: NetworkingError.self) { try await engine.response(for: request) }
  }

  @Test func `the error of a truncated body contains the part of the body that was received`() async throws {
    let error = try await failure { $0.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort") }
    #expect(error?.reason == .truncated(received: 5, expected: 100))
    #expect(error?.partialResponse?.bytes == Array("short".utf8))
    #expect(error?.isUnreachable == false)
  }

  @Test func `a connection that the server resets or closes without a response is reported as lost`() async throws {
    #expect(
      try await failure {
        $0.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
        $0.reset()
      }?.reason.kind == .connectionLost)
    #expect(try await failure { $0.close() }?.reason.kind == .connectionLost)
  }

  @Test func `responses with invalid chunks, invalid status lines or endless headers are refused`() async throws {
    #expect(
      try await failure { $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n") }?.reason.kind == .invalidResponse)
    let endless = try await failure { connection in
      connection.send("HTTP/1.1 200 OK\r\n")
      while connection.send("X-Filler: \(String(repeating: "x", count: 1000))\r\n") {}
    }
    #expect(endless?.reason.kind == .headerTooLarge)
    #expect(try await failure { $0.send("HTTP/1.1 abc\r\n\r\n") }?.reason.kind == .invalidResponse)
  }

  /// RFC 9112, section 6.3: the next response on a connection begins where this body ends. With two lengths, an
  /// attacker could choose that place.
  @Test func `a response with two different Content-Length headers is refused`() async throws {
    let two = try await failure { $0.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\nSet-Cookie: a=b\r\n\r\nabcde") }
    #expect(
      two?.reason
        == .invalidResponse(detail: "it has several values for `Content-Length`, 3 and 5: the end of its body is unknown"))
    #expect(two?.url?.hasPrefix("http://127.0.0.1:") == true)
    let list = try await failure { $0.send("HTTP/1.1 302 Found\r\nLocation: /a\r\nContent-Length: 3, 5\r\n\r\nabcde") }
    #expect(list?.reason.kind == .invalidResponse)
    #expect(try await failure { $0.send("HTTP/1.1 200 OK\r\nContent-Length: 3x\r\n\r\nabc") }?.reason.kind == .invalidResponse)
  }

  /// Some proxies repeat the same length. A chunked body ends with its last chunk.
  @Test(arguments: [
    ("Content-Length: 5\r\nContent-Length: 5\r\n\r\nabcde", "GET"), ("Content-Length: 5, 5\r\n\r\nabcde", "GET"),
    ("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n", "GET"),
    ("Content-Length: 3\r\nContent-Length: 5\r\n\r\n", "HEAD"),
  ])
  func `a response with two equal Content-Length headers, or with a chunked body, is accepted`(_ answer: String, _ method: String)
    async throws
  {
    let server = try RawServer { connection in
      while connection.readRequest() != nil { connection.send("HTTP/1.1 200 OK\r\n" + answer) }
    }
    var request = TransferRequest(url: server.url)
    if method == "HEAD" { request.method = .head }
    for round in 0..<2 {
      let response = try await engine.response(for: request)
      #expect(response.bytes == Array((method == "HEAD" ? "" : "abcde").utf8))
      #expect(response.metrics.transactions.last?.isReused == (round == 1))
    }
  }

  @Test func `a request fails if the body of its response exceeds the size limit`() async throws {
    let announced = try await failure({ $0.settings.maximumBodyBytes = 10 }) {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world")
    }
    #expect(announced?.reason == .bodyTooLarge(limit: 10))
    let chunked = try await failure({ $0.settings.maximumBodyBytes = 10 }) { connection in
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      while connection.send("5\r\nhello\r\n") {}
    }
    #expect(chunked?.reason == .bodyTooLarge(limit: 10))
  }

  @Test func `a transfer ends with an error at its idle timeout or at its deadline`() async throws {
    let idle = try await failure({ $0.settings.idleTimeout = .seconds(3) }) { $0.readToEnd() }
    #expect(idle?.reason == .timeout(.init(limit: .idle, phase: .awaitingResponse, duration: .seconds(3))))
    let late = try await failure({ $0.settings.deadline = .milliseconds(50) }) { $0.readToEnd() }
    #expect(late?.reason.timeout?.limit == .deadline)
  }

  /// The only connection to the host is taken while another host redirects back to it, so the deadline passes while the transfer waits for
  /// a connection. On a machine that is so slow that the deadline passes earlier, the test tries a longer deadline.
  @Test func `if a host has responded with a redirect before the deadline is reached, the host is not reported as unreachable`()
    async throws
  {
    var deadline = Duration.seconds(2)
    var error = try await errorWhileWaiting(deadline)
    while let timeout = error?.reason.timeout, timeout.limit == .deadline, timeout.phase != .waiting, deadline < .seconds(200) {
      deadline *= 10
      error = try await errorWhileWaiting(deadline)
    }
    #expect(error?.reason == .timeout(.init(limit: .deadline, phase: .waiting, duration: deadline)))
    #expect(error?.isUnreachable == false)
  }

  /// Returns the error of a request to a host that redirects to another host, which redirects back while the only connection is taken.
  private func errorWhileWaiting(_ deadline: Duration) async throws -> NetworkingError? {
    let (holds, mayEnd, isElsewhere, mayReturn) = (TestGate(), TestGate(), TestGate(), TestGate())
    let address = Mutex("")
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        guard request.head.hasPrefix("GET /holder ") else {
          connection.send(Self.redirect(to: address.withLock { $0 }))
          continue
        }
        holds.open()
        mayEnd.block()
        return
      }
    }
    let url = server.url
    let other = try RawServer { connection in
      while connection.readRequest() != nil {
        isElsewhere.open()
        mayReturn.block()
        connection.send(Self.redirect(to: "\(url)/late"))
      }
    }
    address.withLock { $0 = other.url }
    var configuration = EngineConfiguration()
    configuration.connectionsPerOrigin = 1
    let engine = Engine(configuration: configuration)
    var request = TransferRequest(url: url)
    request.settings.deadline = deadline
    let late = Task { [request] in
      defer { isElsewhere.open() }
      return try await engine.response(for: request)
    }
    await isElsewhere.wait()
    let holder = engine.start(TransferRequest(url: url + "/holder")) { _ in }
    await holds.wait()
    mayReturn.open()
    let error = await #expect(throws: NetworkingError.self) { try await late.value }
    holder.cancel()
    mayEnd.open()
    return error
  }

  private static func redirect(to url: String) -> String { "HTTP/1.1 302 Found\r\nLocation: \(url)\r\nContent-Length: 0\r\n\r\n" }

  @Test func `isUnreachable is true for the error of a refused connection`() async throws {
    let nobody = ReservedPort()
    defer { withExtendedLifetime(nobody) {} }
    let port = nobody.number
    let error = await #expect(throws: NetworkingError.self) {
      try await engine.response(for: TransferRequest(url: "http://127.0.0.1:\(port)/"))
    }
    #expect(error?.reason == .refused(host: "127.0.0.1", port: Int(port)))
    #expect(error?.isUnreachable == true)
  }

  @Test func `cancelling a task cancels its transfer`() async throws {
    let server = try RawServer { $0.readToEnd() }
    let engine = engine
    let task = Task { try await engine.response(for: TransferRequest(url: server.url)) }
    task.cancel()
    let error = await #expect(throws: NetworkingError.self) { try await task.value }
    #expect(error?.reason == .cancelled)
  }

  @Test func `a redirect to another origin carries no credentials`() async throws {
    let seen = Captured()
    let other = try RawServer { connection in
      seen.set(connection.readHead())
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
    let target = other.url
    let first = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 302 Found\r\nLocation: \(target)/\r\nContent-Length: 0\r\n\r\n")
    }
    let key = try #require(HTTPField.Name("X-Api-Key"))
    var request = TransferRequest(url: first.url, headerFields: [key: "canary-1", .cookie: "c=canary-2"])
    request.credentialFields = [key]
    request.credential = .bearer("canary-3")
    let response = try await engine.response(for: request)
    #expect(response.redirects.count == 1)
    #expect(response.metrics.transactions.count == 2)
    #expect(!seen.text.isEmpty)
    #expect(!seen.text.contains("canary"))
  }

  @Test func `a downloaded file appears at its path only when the caller commits the file`() async throws {
    let folder = try TemporaryFolder()
    let server = try RawServer { connection in
      while connection.readRequest() != nil { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello") }
    }
    let target = DownloadTarget(path: folder.path + "/a/b.txt", createsDirectories: true, computesDigest: true)
    let request = TransferRequest(url: server.url, destination: .file(target))
    let response = try await engine.response(for: request)
    guard case .file(let file) = response.body else {
      Issue.record("no file")
      return
    }
    #expect(file.digest?.hex == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
    #expect(throws: (any Error).self) { try folder.read("a/b.txt") }
    try file.commit()
    #expect(try folder.read("a/b.txt") == Array("hello".utf8))
    let again = await #expect(throws: NetworkingError.self) { try await engine.response(for: request) }
    #expect(again?.reason.kind == .download)
  }
}

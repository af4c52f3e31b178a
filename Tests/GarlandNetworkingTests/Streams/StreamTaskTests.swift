import GarlandNetworking
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

/// Tests streams of bytes over TCP and TLS.
@Suite(.timeLimit(.minutes(15))) struct StreamTaskTests {
  let session = Session(.ephemeral)

  private static func text(_ received: StreamTask.Received) -> String { String(decoding: received.bytes, as: UTF8.self) }

  /// Creates a server that echoes until the client closes its side, and then sends `bye`.
  private func echo() throws -> RawServer {
    try RawServer { connection in
      while true {
        let bytes = connection.read(1)
        if bytes.isEmpty { break }
        connection.send(bytes)
      }
      connection.send("bye")
      connection.close()
    }
  }

  @Test func `a read from a stream returns at least its minimum and at most its maximum number of bytes`() async throws {
    let server = try echo()
    let stream = session.stream(toHost: "127.0.0.1", port: Int(server.port))
    #expect(stream.destination == "127.0.0.1:\(server.port)")
    async let first = stream.read(atLeast: 4, atMost: 4)
    async let second = stream.read(atLeast: 2, atMost: 2)
    try await stream.write(Array("hell".utf8))
    try await stream.write(Array("o!".utf8))
    #expect(try await Set([Self.text(first), Self.text(second)]).map(\.count).sorted() == [2, 4])
    try await stream.write(Array("abcdefgh".utf8))
    #expect(try await Self.text(stream.read(atLeast: 3, atMost: 3)) == "abc")
    #expect(try await Self.text(stream.read(atLeast: 5, atMost: 100)) == "defgh")
    // Closing the sending side leaves the other open.
    try await stream.closeWrite()
    let last = try await stream.read(atLeast: 10, atMost: 100)
    #expect(Self.text(last) == "bye" && last.isAtEnd)
    let end = try await stream.read(atMost: 1)
    #expect(end.bytes.isEmpty && end.isAtEnd)
    await #expect(throws: NetworkingError.self) { try await stream.write([1]) }
    await #expect(throws: NetworkingError.self) { try await stream.read(atLeast: 3, atMost: 2) }
    await #expect(throws: NetworkingError.self) { try await stream.read(atLeast: 0, atMost: 2) }
  }

  @Test func `a large write to a TCP stream reaches a slow reader completely`() async throws {
    let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 / 257) }
    let server = try RawServer { connection in
      let received = connection.read(5_000_000)
      connection.send(received == bytes ? "same" : "other")
      connection.close()
    }
    let stream = session.stream(toHost: "127.0.0.1", port: Int(server.port))
    try await stream.write(bytes, timeout: .seconds(50))
    #expect(try await Self.text(stream.read(atLeast: 100, atMost: 100)) == "same")
  }

  @Test func `a TCP stream reads a large response completely`() async throws {
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let server = try RawServer { connection in
      connection.send(bytes)
      connection.close()
    }
    let stream = session.stream(toHost: "127.0.0.1", port: Int(server.port))
    var received: [UInt8] = []
    while true {
      let piece = try await stream.read(atLeast: 1, atMost: 100_000)
      received += piece.bytes
      if piece.isAtEnd { break }
    }
    #expect(received == bytes)
  }

  @Test func `if a read of a TCP stream times out, the bytes received so far are returned by the next read`() async throws {
    let (may, go) = AsyncStream.makeStream(of: Void.self)
    let server = try RawServer { connection in
      _ = connection.read(1)
      connection.send("ab")
      go.yield()
      _ = connection.read(1)
      connection.send("cd")
      connection.readToEnd()
    }
    let stream = session.stream(toHost: "127.0.0.1", port: Int(server.port))
    // The write ensures that the connection is open.
    try await stream.write([0])
    let early = Task { try await stream.read(atLeast: 4, atMost: 4, timeout: .milliseconds(200)) }
    for await _ in may { break }
    guard case .failure(let error) = await early.result, let error = error as? NetworkingError else {
      Issue.record("no timeout")
      return
    }
    #expect(error.reason.timeout?.limit == .deadline)
    #expect(error.reason.timeout?.phase == .receiving)
    try await stream.write([1])
    #expect(try await Self.text(stream.read(atLeast: 4, atMost: 10)) == "abcd")
  }

  @Test func `if a read is cancelled, the bytes that it did not read are returned by the next read`() async throws {
    let server = try echo()
    let stream = session.stream(toHost: "127.0.0.1", port: Int(server.port))
    try await stream.write([1])
    _ = try await stream.read(atMost: 1)
    let waiting = Task { try await stream.read(atMost: 1) }
    let alsoWaiting = Task { try await stream.read(atMost: 1) }
    waiting.cancel()
    alsoWaiting.cancel()
    for task in [waiting, alsoWaiting] {
      let result = await task.result
      #expect(throws: NetworkingError.self) { try result.get() }
    }
    try await stream.write([2])
    #expect(try await stream.read(atMost: 5).bytes == [2])
    // Cancels the whole stream.
    let last = Task { try await stream.read(atMost: 1) }
    stream.cancel()
    guard case .failure(let error as NetworkingError) = await last.result else {
      Issue.record("it went on")
      return
    }
    #expect(error.reason == .cancelled)
    await #expect(throws: NetworkingError.self) { try await stream.write([1]) }
  }

  @Test func `after a write to a TCP stream times out, the stream can't be used any more`() async throws {
    let hasFailed = TestGate()
    defer { hasFailed.open() }
    // The server reads nothing, so that the system's buffers fill up.
    let server = try RawServer { _ in hasFailed.block() }
    let stream = session.stream(toHost: "127.0.0.1", port: Int(server.port))
    await #expect(throws: NetworkingError.self) {
      try await stream.write([UInt8](repeating: 0, count: 30_000_000), timeout: .milliseconds(300))
    }
    do throws(NetworkingError) {
      _ = try await stream.read(atMost: 1)
      Issue.record("it goes on")
    } catch {
      #expect(error.reason.kind == .timeout)
    }
  }

  @Test func `after closeRead, reads report the end of the stream and startTLS is refused`() async throws {
    let server = try echo()
    let stream = session.stream(toHost: "127.0.0.1", port: Int(server.port))
    try await stream.write([1])
    try await stream.closeRead()
    #expect(try await stream.read(atMost: 1).isAtEnd)
    await #expect(throws: NetworkingError.self) { try await stream.startTLS() }
  }

  /// Each side is closed independently: everything written after the other side was closed arrives.
  @Test func `data can be written to a TCP stream after the read side of the stream was closed`() async throws {
    let (arrived, arrive) = AsyncStream.makeStream(of: [UInt8].self)
    let server = try RawServer { connection in
      let bytes = connection.read(300_001)
      arrive.yield(bytes)
      arrive.finish()
    }
    let stream = session.stream(toHost: "127.0.0.1", port: Int(server.port))
    try await stream.write([7])
    try await stream.closeRead()
    let end = try await stream.read(atMost: 1)
    #expect(end.isAtEnd && end.bytes.isEmpty)
    try await stream.write([UInt8](repeating: 7, count: 300_000))
    for await bytes in arrived { #expect(bytes == [UInt8](repeating: 7, count: 300_001)) }
  }

  /// A third-party server receives the end of the request and still responds.
  @Test func `nginx still responds after the client has closed its sending side of the connection`() async throws {
    let nginx = try NginxServer.shared()
    let stream = session.stream(toHost: "127.0.0.1", port: try port(nginx.url))
    try await stream.write(Self.request)
    try await stream.closeWrite()
    let answer = try await readToEnd(stream)
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.contains("\"name\":\"garland\""), "\(answer)")
  }

  /// The time limit includes connecting, and the error names that phase. The stream keeps connecting for the
  /// next operation.
  @Test func `if a TCP stream times out while connecting, the error names the phase of the connection`() async throws {
    let server = try RawServer { $0.readToEnd() }
    let stream = session.stream(toHost: "127.0.0.1", port: Int(server.port), isSecure: true)
    do throws(NetworkingError) {
      _ = try await stream.read(atMost: 1, timeout: .milliseconds(200))
      Issue.record("TLS came about")
    } catch {
      #expect(error.reason.timeout?.limit == .deadline)
      #expect(error.reason.timeout.map { $0.phase <= .securing } == true, "\(error)")
    }
  }

  @Test func `if a TCP stream can't connect, the error contains the reason`() async throws {
    func reason(_ stream: StreamTask) async -> NetworkingError.Reason? {
      do throws(NetworkingError) {
        _ = try await stream.read(atMost: 1)
        return nil
      } catch {
        return error.reason
      }
    }
    let nobody = ReservedPort()
    defer { withExtendedLifetime(nobody) {} }
    let port = nobody.number
    #expect(await reason(session.stream(toHost: "127.0.0.1", port: Int(port))) == .refused(host: "127.0.0.1", port: Int(port)))
    #expect(await reason(session.stream(toHost: "nowhere.invalid", port: 1))?.kind == .resolve)
    for (host, port) in [("127.0.0.1", 0), ("127.0.0.1", 70000), ("a b/", 1), ("", 1), ("user@host", 1), ("host/path", 1)] {
      #expect(await reason(session.stream(toHost: host, port: port))?.kind == .invalidRequest)
    }
    let resetting = try RawServer { connection in
      _ = connection.read(1)
      connection.reset()
    }
    let stream = session.stream(toHost: "127.0.0.1", port: Int(resetting.port))
    try await stream.write([1])
    #expect(await reason(stream)?.kind == .connectionLost)
    #expect(await reason(stream)?.kind == .connectionLost)
  }

  @Test func `invalidating a session ends its TCP streams`() async throws {
    let server = try echo()
    let session = Session(.ephemeral)
    let stream = session.stream(toHost: "127.0.0.1", port: Int(server.port))
    try await stream.write([1])
    _ = try await stream.read(atMost: 1)
    let waiting = Task { try await stream.read(atMost: 1) }
    session.cancelAndInvalidate()
    let result = await waiting.result
    #expect(throws: NetworkingError.self) { try result.get() }
    do throws(NetworkingError) {
      _ = try await session.stream(toHost: "127.0.0.1", port: Int(server.port)).read(atMost: 1)
      Issue.record("it began")
    } catch {
      #expect(error.reason == .invalidated)
    }
  }

  @Test func `a TCP stream that is released from memory closes its connection`() async throws {
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let server = try RawServer { connection in
      connection.readToEnd()
      end.yield()
    }
    do {
      let stream = session.stream(toHost: "127.0.0.1", port: Int(server.port))
      try await stream.write([1])
    }
    for await _ in ended { break }
  }

  @Test func `a TCP stream can use a proxy tunnel`() async throws {
    let server = try echo()
    let proxy = try TunnelProxy(to: server.port)
    let stream = session.stream(toHost: "127.0.0.1", port: Int(server.port)) { $0.proxy = .url(proxy.url) }
    try await stream.write(Array("through".utf8))
    #expect(try await Self.text(stream.read(atLeast: 7, atMost: 7)) == "through")
  }

  // MARK: TLS, with nginx

  private static let request = Array("GET /json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)

  private func readToEnd(_ stream: StreamTask) async throws -> String {
    var bytes: [UInt8] = []
    while true {
      let piece = try await stream.read(atMost: 10_000)
      bytes += piece.bytes
      if piece.isAtEnd { return String(decoding: bytes, as: UTF8.self) }
    }
  }

  private func port(_ url: String) throws -> Int { try #require(Int(url.split(separator: ":").last ?? "")) }

  @Test func `a TCP stream can start with TLS or switch to TLS later`() async throws {
    let nginx = try NginxServer.shared()
    for isSecure in [true, false] {
      let stream = session.stream(toHost: "localhost", port: try port(nginx.secureHTTP1URL), isSecure: isSecure) {
        $0.tls.authorities = nginx.certificates.authority
      }
      // nginx waits for the handshake on the open connection.
      if !isSecure { try await stream.startTLS(timeout: .seconds(30)) }
      try await stream.write(Self.request)
      let answer = try await readToEnd(stream)
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(answer.contains("\"name\":\"garland\""))
      await #expect(throws: NetworkingError.self) { try await stream.startTLS() }
      await #expect(throws: NetworkingError.self) { try await stream.closeWrite() }
    }
  }

  @Test func `a TCP stream to a server with an untrusted certificate is refused`() async throws {
    let nginx = try NginxServer.shared()
    for url in [nginx.selfSignedURL, nginx.expiredURL, nginx.wrongHostURL] {
      for isSecure in [true, false] {
        let stream = session.stream(toHost: "localhost", port: try port(url), isSecure: isSecure) {
          $0.tls.authorities = nginx.certificates.authority
        }
        do throws(NetworkingError) {
          if isSecure { try await stream.write(Self.request) } else { try await stream.startTLS() }
          Issue.record("\(url) was trusted")
        } catch {
          #expect(error.reason.kind == .tls)
        }
        await #expect(throws: NetworkingError.self) { try await stream.write([1]) }
      }
    }
    let plain = session.stream(toHost: "127.0.0.1", port: try port(nginx.url))
    await #expect(throws: NetworkingError.self) { try await plain.startTLS() }
  }

  @Test func `the server of a TLS stream is checked by the trust evaluators of the session`() async throws {
    let nginx = try NginxServer.shared()
    let right = try ServerTrustManager(["localhost": AuthorityTrustEvaluator(pemFile: nginx.certificates.authority)])
    let wrong = try ServerTrustManager(["localhost": PublicKeysTrustEvaluator("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")])
    for isSecure in [true, false] {
      func stream(_ manager: ServerTrustManager) throws -> StreamTask {
        session.stream(toHost: "localhost", port: try port(nginx.secureHTTP1URL), isSecure: isSecure) {
          $0.tls.authorities = nginx.certificates.authority
          $0.serverTrust = manager
        }
      }
      let trusted = try stream(right)
      if !isSecure { try await trusted.startTLS() }
      try await trusted.write(Self.request)
      #expect(try await readToEnd(trusted).hasPrefix("HTTP/1.1 200 OK"))
      let refused = try stream(wrong)
      do throws(NetworkingError) {
        if isSecure { try await refused.write(Self.request) } else { try await refused.startTLS() }
        Issue.record("it was trusted")
      } catch {
        guard case .trust = error.reason else {
          Issue.record("\(error)")
          continue
        }
      }
    }
  }
}

import GarlandTransfer
import HTTPTypes
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

/// Tests sending content: announced lengths, streams, and waiting for permission.
@Suite(.timeLimit(.minutes(15))) struct SendingTests {
  let engine = Engine()
  private static let empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

  private static func stream(_ pieces: [String], length: Int64?, isRepeatable: Bool = true) -> BodyStream {
    BodyStream(length: length, isRepeatable: isRepeatable) {
      AsyncStream { continuation in
        for piece in pieces { continuation.yield(Array(piece.utf8)) }
        continuation.finish()
      }
    }
  }

  private func put(_ url: String, _ body: TransferBody, _ expect: ExpectContinue = .never) -> TransferRequest {
    var request = TransferRequest(url: url, method: .put)
    request.body = body
    request.settings.expectContinue = expect
    return request
  }

  @Test func `a body stream with a known length sends Content-Length`() async throws {
    let seen = Captured()
    let server = try RawServer { connection in
      guard let request = connection.readRequest() else { return }
      seen.add(request.head)
      seen.add(String(decoding: request.body, as: UTF8.self))
      connection.send(Self.empty)
    }
    let body = TransferBody.stream(Self.stream(["one ", "", "two"], length: 7))
    #expect(try await engine.response(for: put(server.url, body)).status == .ok)
    #expect(seen.all.first?.contains("Content-Length: 7\r\n") == true)
    #expect(seen.all.first?.contains("Transfer-Encoding") == false)
    #expect(seen.all.last == "one two")
  }

  /// libcurl begins with one upload after the other, so its own times of the last uploads begin much later than their hops.
  @Test func `if many uploads begin together, no response is recorded earlier than the server sent it`()
    async throws
  {
    let answered = Mutex<[String: ContinuousClock.Instant]>([:])
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        connection.pause(.milliseconds(50))
        let path = String(request.head.split(separator: " ")[1])
        answered.withLock { $0[path] = .now }
        connection.send(Self.empty)
      }
    }
    let found = try await withThrowingTaskGroup(of: (String, TransactionMetrics?).self) { group in
      for number in 0..<60 {
        let request = put("\(server.url)/\(number)", .stream(Self.stream(["one ", "two"], length: 7)))
        group.addTask { ("/\(number)", try await engine.response(for: request).metrics.transactions.last) }
      }
      return try await group.reduce(into: [(String, TransactionMetrics?)]()) { $0.append($1) }
    }
    let instants = answered.withLock { $0 }
    for (path, transaction) in found {
      let transaction = try #require(transaction)
      let instant = try #require(instants[path])
      let (sent, first) = (try #require(transaction.requestSent), try #require(transaction.firstByte))
      #expect(transaction.start + sent <= instant, "\(transaction)")
      #expect(transaction.start + first >= instant, "\(transaction)")
      #expect(first <= transaction.total, "\(transaction)")
    }
  }

  @Test(arguments: [["four"], ["fourteen bytes"], ["ten bytes.", "more"], ["ten ", "bytes.", "x"], ["ten bytes", "..", ""]])
  func `a body stream that is longer or shorter than announced gives an error`(_ pieces: [String]) async throws {
    let seen = Captured()
    let server = try RawServer { connection in
      if let request = connection.readRequest() { seen.add(String(decoding: request.body, as: UTF8.self)) }
      connection.send(Self.empty)
    }
    let error = await #expect(throws: NetworkingError.self) {
      try await engine.response(for: put(server.url, .stream(Self.stream(pieces, length: 10))))
    }
    // Content that is too long must not look complete to the server.
    #expect(seen.all.allSatisfy { $0.utf8.count < 10 })
    guard case .bodyStream = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a part of a file can be sent as a request body only if the file contains the whole part`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a"
    try folder.write("a", Array("0123456789".utf8))
    let seen = Captured()
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        seen.add(String(decoding: request.body, as: UTF8.self))
        connection.send(Self.empty)
      }
    }
    for (offset, length) in [(0, nil), (3, 4), (10, nil), (4, nil)] as [(Int64, Int64?)] {
      #expect(try await engine.response(for: put(server.url, .file(path: path, offset: offset, length: length))).status == .ok)
    }
    #expect(seen.all == ["0123456789", "3456", "", "456789"])
    for (offset, length) in [(11, nil), (0, 11), (-1, nil), (0, -1), (8, 3)] as [(Int64, Int64?)] {
      let error = await #expect(throws: NetworkingError.self) {
        try await engine.response(for: put(server.url, .file(path: path, offset: offset, length: length)))
      }
      #expect(error?.reason.kind == .upload, "\(offset) \(String(describing: length))")
    }
  }

  @Test func `a body is sent after the server sends 100 Continue`() async throws {
    let seen = Captured()
    let server = try RawServer { connection in
      seen.add(connection.readHead())
      connection.send("HTTP/1.1 100 Continue\r\n\r\n")
      seen.add(String(decoding: connection.read(5), as: UTF8.self))
      connection.send(Self.empty)
    }
    let response = try await engine.response(for: put(server.url, .bytes(Array("hello".utf8)), .always))
    #expect(response.status == .ok)
    #expect(seen.all.first?.contains("Expect: 100-continue\r\n") == true)
    #expect(seen.all.last == "hello")
  }

  @Test func `if the server never sends 100 Continue, the body is sent anyway`() async throws {
    let server = try RawServer { connection in
      _ = connection.readRequest()
      connection.send(Self.empty)
    }
    #expect(try await engine.response(for: put(server.url, .bytes(Array("hello".utf8)), .always)).status == .ok)
  }

  @Test func `if the server refuses a request that waits for '100 Continue', the request body is not sent`() async throws {
    let seen = Captured()
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      seen.add("\(connection.read(1).count)")
    }
    let response = try await engine.response(for: put(server.url, .bytes(Array("hello".utf8)), .always))
    #expect(response.status.code == 413)
    #expect(response.metrics.transactions.last?.requestBodyBytes == 0)
    while seen.all.isEmpty, !Task.isCancelled { await Task.yield() }
    #expect(seen.text == "0")
  }

  @Test(arguments: [(ExpectContinue.always, 5), (.automatic, 2 << 20)])
  func `after a 417 response, the same request is sent again without the Expect header`(_ expect: ExpectContinue, _ size: Int) async throws
  {
    let seen = Captured()
    let server = try RawServer { connection in
      while true {
        let head = connection.readHead()
        if head.isEmpty { return }
        if head.contains("Expect:") {
          seen.add("asked")
          connection.send("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nno")
        } else {
          seen.add("\(connection.read(size).count)")
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
      }
    }
    let body = [UInt8](repeating: 7, count: size)
    let response = try await engine.response(for: put(server.url, .bytes(body), expect))
    #expect(response.status == .ok)
    #expect(response.bytes == Array("ok".utf8))
    #expect(response.metrics.transactions.count == 2)
    #expect(response.request.headerFields[.expect] == nil)
    #expect(seen.all == ["asked", "\(size)"])
  }

  @Test func `if the caller sets the Expect header, the caller receives a 417 response without a retry`() async throws {
    let seen = Captured()
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        seen.add(request.head)
        connection.send("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nno")
      }
    }
    var request = put(server.url, .bytes(Array("hello".utf8)), .automatic)
    request.headerFields[.expect] = "something-else"
    let response = try await engine.response(for: request)
    #expect(response.status.code == 417)
    #expect(response.bytes == Array("no".utf8))
    #expect(seen.all.count == 1)
  }

  @Test func `after a redirect, the upload progress counts the sent bytes from zero`() async throws {
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        let isFirst = request.head.hasPrefix("PUT / ")
        connection.send(isFirst ? "HTTP/1.1 307 T\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n" : Self.empty)
      }
    }
    let steps = Collected<TransferProgress>()
    let body = [UInt8](repeating: 7, count: 200_000)
    let response = try await engine.response(for: put(server.url, .bytes(body)), progress: { steps.add($0) })
    #expect(response.redirects.count == 1)
    #expect(steps.all.last?.sent == 200_000)
    #expect(steps.all.allSatisfy { $0.sent <= 200_000 })
  }
}

import GarlandTransfer
import HTTPTypes
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

/// Tests requests on a kept connection that the server closes while it receives the body.
///
/// As nginx does (`lingering_close`), the server first announces that it sends nothing more, and continues to read. So libcurl does not fail
/// to receive a response, after which it would send the request again itself, but to send the rest of the body.
@Suite(.timeLimit(.minutes(15))) struct KeptConnectionTests {
  /// A body that is larger than the part that the server reads and the buffers of both sockets.
  private static let content = [UInt8](repeating: 7, count: 16 << 20)

  private static func close(_ connection: RawConnection) {
    _ = connection.readHead()
    connection.finishSending()
    _ = connection.read(8 << 20)
    connection.reset()
  }

  enum Source: CaseIterable, Sendable { case bytes, file, stream }

  let engine = Engine()

  /// Starts a server that responds to a request with the size of its body. It closes its first connection at the second request. If
  /// `always` is true, it closes all later connections at the first request.
  private static func server(always: Bool = false) throws -> RawServer {
    let count = Mutex(0)
    return try RawServer { connection in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      if isFirst { _ = Self.respond(connection) }
      if isFirst || always { return Self.close(connection) }
      while Self.respond(connection) {}
    }
  }

  private static func respond(_ connection: RawConnection) -> Bool {
    guard let request = connection.readRequest() else { return false }
    let size = "\(request.body.count)"
    return connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size.utf8.count)\r\n\r\n\(size)")
  }

  /// Sends a request on a connection that an earlier request has opened.
  private func send(_ method: HTTPRequest.Method, _ body: TransferBody = .none, to server: RawServer) async throws(NetworkingError)
    -> TransferResponse
  {
    var request = TransferRequest(url: server.url)
    _ = try await engine.response(for: request)
    request.method = method
    request.body = body
    request.settings.expectContinue = .never
    return try await engine.response(for: request)
  }

  @Test(arguments: Source.allCases)
  func `a PUT whose kept connection is lost is sent again on a new connection`(_ source: Source) async throws {
    let folder = try TemporaryFolder()
    try folder.write("body", Self.content)
    let body: TransferBody =
      switch source {
      case .bytes: .bytes(Self.content)
      case .file: .file(path: folder.path + "/body")
      case .stream: .stream(Self.stream())
      }
    let server = try Self.server()
    let response = try await send(.put, body, to: server)
    #expect(response.bytes == Array("\(Self.content.count)".utf8))
    #expect(server.connectionCount == 2)
    #expect(response.metrics.transactions.map(\.isReused) == [true, false])
  }

  @Test func `a POST whose kept connection is lost is not sent again`() async throws {
    let server = try Self.server()
    let error = await #expect(throws: NetworkingError.self) { try await send(.post, .bytes(Self.content), to: server) }
    #expect(error?.reason.kind == .connectionLost)
    #expect(server.connectionCount == 1)
  }

  @Test func `a PUT whose kept connection is lost is not sent again if its body can be read only once`() async throws {
    let server = try Self.server()
    let body = Self.stream(isRepeatable: false)
    let error = await #expect(throws: NetworkingError.self) { try await send(.put, .stream(body), to: server) }
    #expect(error?.reason.kind == .connectionLost)
    #expect(server.connectionCount == 1)
  }

  @Test func `a PUT is not sent a third time if the new connection is lost too`() async throws {
    let server = try Self.server(always: true)
    let error = await #expect(throws: NetworkingError.self) { try await send(.put, .bytes(Self.content), to: server) }
    #expect(error?.reason.kind == .connectionLost)
    #expect(error?.metrics.transactions.count == 2)
    #expect(server.connectionCount == 2)
  }

  @Test func `a PUT whose new connection is lost is not sent again`() async throws {
    let server = try RawServer { Self.close($0) }
    var request = TransferRequest(url: server.url, method: .put)
    request.body = .bytes(Self.content)
    request.settings.expectContinue = .never
    let error = await #expect(throws: NetworkingError.self) { try await engine.response(for: request) }
    #expect(error?.reason.kind == .connectionLost)
    #expect(server.connectionCount == 1)
  }

  private static func stream(isRepeatable: Bool = true) -> BodyStream {
    BodyStream(length: Int64(content.count), isRepeatable: isRepeatable) {
      AsyncStream { continuation in
        continuation.yield(content)
        continuation.finish()
      }
    }
  }
}

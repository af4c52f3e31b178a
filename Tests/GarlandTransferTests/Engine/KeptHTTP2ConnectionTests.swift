import GarlandTransfer
import HTTPTypes
import TestSupport
import Testing

/// Tests requests on a kept HTTP/2 connection that the server ends before it responds.
@Suite(.timeLimit(.minutes(15))) struct KeptHTTP2ConnectionTests {
  private static let content = [UInt8](repeating: 7, count: 1 << 20)

  let engine = Engine()

  private func send(_ method: HTTPRequest.Method = .get, _ body: TransferBody = .none, to server: HTTP2Server)
    async throws(NetworkingError) -> TransferResponse
  {
    var request = TransferRequest(url: server.url, method: method)
    request.body = body
    request.settings.expectContinue = .never
    request.settings.tls.authorities = HTTP2Server.authority
    return try await engine.response(for: request)
  }

  /// Sends a request on a connection that an earlier request has opened.
  private func sendNext(_ method: HTTPRequest.Method = .get, _ body: TransferBody = .none, to server: HTTP2Server)
    async throws(NetworkingError) -> TransferResponse
  {
    _ = try await send(to: server)
    return try await send(method, body, to: server)
  }

  @Test(arguments: [HTTP2Server.Ending.close, .goaway])
  func `a GET whose kept HTTP/2 connection is lost is sent again on a new connection`(_ ending: HTTP2Server.Ending) async throws {
    let response = try await sendNext(to: HTTP2Server(ending, answers: [1]))
    #expect(response.status == .ok)
    #expect(response.metrics.transactions.map(\.isReused) == [true, false])
  }

  @Test(arguments: [HTTP2Server.Ending.close, .goaway])
  func `a PUT whose kept HTTP/2 connection is lost is sent again with its whole body`(_ ending: HTTP2Server.Ending) async throws {
    let response = try await sendNext(.put, .bytes(Self.content), to: HTTP2Server(ending, answers: [1]))
    #expect(response.bytes == Array("\(Self.content.count)".utf8))
    #expect(response.metrics.transactions.map(\.isReused) == [true, false])
  }

  @Test(arguments: [HTTP2Server.Ending.close, .goaway])
  func `a POST whose kept HTTP/2 connection is lost is not sent again`(_ ending: HTTP2Server.Ending) async throws {
    let server = try await HTTP2Server(ending, answers: [1])
    let error = await #expect(throws: NetworkingError.self) { try await sendNext(.post, .bytes(Self.content), to: server) }
    #expect(error?.reason.kind == .connectionLost)
    #expect(error?.metrics.transactions.count == 1)
  }

  @Test(arguments: [HTTP2Server.Ending.close, .goaway])
  func `a GET is not sent a third time if the new HTTP/2 connection is lost too`(_ ending: HTTP2Server.Ending) async throws {
    let server = try await HTTP2Server(ending, answers: [1, 0])
    let error = await #expect(throws: NetworkingError.self) { try await sendNext(to: server) }
    #expect(error?.metrics.transactions.count == 2)
  }

  @Test(arguments: [HTTP2Server.Ending.close, .goaway])
  func `a GET whose new HTTP/2 connection is lost is not sent again`(_ ending: HTTP2Server.Ending) async throws {
    let server = try await HTTP2Server(ending, answers: [0])
    let error = await #expect(throws: NetworkingError.self) { try await send(to: server) }
    #expect(error?.metrics.transactions.count == 1)
  }

  @Test func `a GET is not sent again if the kept HTTP/2 connection is lost after the head of the response`() async throws {
    let server = try await HTTP2Server(.head, answers: [1])
    let error = await #expect(throws: NetworkingError.self) { try await sendNext(to: server) }
    #expect(error?.reason.kind == .truncated)
    #expect(error?.metrics.transactions.count == 1)
  }

  @Test func `a GET whose HTTP/2 stream the server resets because of an error is not sent again`() async throws {
    let server = try await HTTP2Server(.reset, answers: [1])
    let error = await #expect(throws: NetworkingError.self) { try await sendNext(to: server) }
    #expect(error?.reason.kind == .connectionLost)
    #expect(error?.metrics.transactions.count == 1)
  }

  /// If the server excludes several requests, libcurl itself sends some of them again.
  @Test(arguments: [HTTP2Server.Ending.close, .goaway])
  func `all requests that share a kept HTTP/2 connection get a response after it is lost`(_ ending: HTTP2Server.Ending) async throws {
    let server = try await HTTP2Server(ending, answers: [1], waiting: 10)
    _ = try await send(to: server)
    let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
      for _ in 0..<10 { group.addTask { try await send(to: server).status } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: .ok, count: 10))
  }
}

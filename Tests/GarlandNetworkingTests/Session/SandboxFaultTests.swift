import GarlandNetworking
import GarlandSandbox
import TestSupport
import Testing

/// Tests every fault of the sandbox from the view of a session's user.
@Suite(.timeLimit(.minutes(15))) struct SandboxFaultTests {
  @Test(
    arguments: [
      ("reset", .connectionLost, 20), ("reset-before-headers", .connectionLost, nil), ("close", .connectionLost, nil),
      ("truncate", .truncated, 20), ("bad-chunk", .invalidResponse, 5), ("truncated-chunk", .truncated, 8),
      ("endless-headers", .headerTooLarge, nil), ("huge-header", .headerTooLarge, nil), ("garbage", .invalidResponse, nil),
      ("status-line", .invalidResponse, nil), ("bad-gzip", .undecodable, 0), ("bad-gzip?kind=checksum", .undecodable, nil),
      ("bad-gzip?kind=truncated", .undecodable, nil), ("gzip-bomb", .bodyTooLarge, nil), ("endless-body", .bodyTooLarge, nil),
    ] as [(String, NetworkingError.Kind, Int?)])
  func `each fault that the sandbox simulates is reported as the expected kind of error`(
    _ fault: String, _ kind: NetworkingError.Kind, _ received: Int?
  )
    async throws
  {
    try await withSandbox { (session, sandbox) async throws in
      let request = session.request(sandbox.url + "/fault/" + fault) { $0.settings.maximumBodyBytes = 100_000 }
      let error = await request.response().error
      #expect(error?.reason.kind == kind, "\(String(describing: error))")
      // A reset may arrive before bytes sent earlier.
      if let received, fault != "reset" { #expect(error?.partialResponse?.bytes.count == received) }
      if kind == .bodyTooLarge { #expect(error?.reason == .bodyTooLarge(limit: 100_000)) }
      // The session still works.
      #expect(await session.request(sandbox.url + "/get").validate().response().status == 200)
    }
  }

  /// Bytes after the announced length belong to no response.
  @Test func `bytes beyond the Content-Length are not read as the next response`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      #expect(try await session.request(sandbox.url + "/fault/lying-length").validate().string == "hello")
      let next = session.request(sandbox.url + "/anything/next").validate()
      #expect(try await next.json["path"] == "/anything/next")
      #expect(await next.response().metrics.last?.transactions.last?.isReused == false)
    }
  }

  @Test(arguments: [("hang", NetworkingError.Phase.awaitingResponse, nil), ("hang-mid-body", .receiving, 20)])
  func `if a server stops sending, the idle timeout error names the phase of the request, such as 'receiving'`(
    _ fault: String, _ phase: NetworkingError.Phase, _ received: Int?
  )
    async throws
  {
    try await withSandbox { (session, sandbox) async throws in
      let request = session.request(sandbox.url + "/fault/" + fault) { $0.settings.idleTimeout = .seconds(3) }
      let error = await request.response().error
      #expect(error?.reason == .timeout(.init(limit: .idle, phase: phase, duration: .seconds(3))))
      #expect(error?.partialResponse?.bytes.count == received)
    }
  }

  /// Data resets the idle timeout: the body takes longer than the timeout, in small pieces.
  @Test func `a slow body that never pauses causes no idle timeout`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let request = session.request(sandbox.url + "/drip?bytes=60&duration=6") { $0.settings.idleTimeout = .seconds(4) }
      let response = await request.response()
      #expect(response.error == nil)
      #expect(response.response?.bytes.count == 60)
    }
  }

  @Test func `an invalid JSON or UTF-8 body is a serialization error`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let request = session.request(sandbox.url + "/fault/invalid-json").validate()
      #expect(await request.response(with: JSONResponseSerializer()).error?.reason.kind == .serialization)
      // The transfer succeeded, and another serializer can read the content.
      #expect(try await request.string.hasPrefix("{\"items\""))
      let text = await session.request(sandbox.url + "/fault/invalid-utf8").response(with: StringResponseSerializer())
      #expect(text.error?.reason.kind == .serialization)
    }
  }
}

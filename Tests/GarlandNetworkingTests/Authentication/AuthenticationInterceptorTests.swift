import Dispatch
import GarlandJSON
import GarlandNetworking
import GarlandSandbox
import HTTPTypes
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

@Suite(.timeLimit(.minutes(15))) struct AuthenticationInterceptorTests {
  struct Token: AuthenticationCredential, Equatable {
    var number: Int
    var hasExpired = false
    var requiresRefresh: Bool { hasExpired }
    var text: String { "token-\(number)" }
  }

  /// Counts refreshes. Each refresh waits for the test.
  final class Tokens: Authenticator {
    struct Refused: Error, CustomStringConvertible { var description: String { "the refresh token has expired" } }
    let refreshes = Atomic<Int>(0)
    /// The number of refused requests that need another token. A refresh ends only after all of them are
    /// waiting.
    let refused = Atomic<Int>(0)
    let fails: Bool
    let gate: TestGate?

    init(fails: Bool = false, gate: TestGate? = nil) {
      self.fails = fails
      self.gate = gate
    }

    func apply(_ credential: Token, to request: inout TransferRequest) { request.credential = .bearer(credential.text) }

    func refresh(_ credential: Token) async throws -> Token {
      refreshes.add(1, ordering: .relaxed)
      await gate?.wait()
      if fails { throw Refused() }
      return Token(number: credential.number + 1)
    }

    func isRequest(_ request: TransferRequest, authenticatedWith credential: Token) -> Bool {
      refused.add(1, ordering: .relaxed)
      return request.credential == .bearer(credential.text)
    }
  }

  /// Creates a server that refuses the first token once this many requests with it have arrived, so
  /// that all of them are sent before a refresh begins.
  private func server(refusing count: Int, _ seen: Captured) throws -> RawServer {
    final class Counter: Sendable { let arrived = Atomic<Int>(0) }
    let counter = Counter()
    let all = DispatchSemaphore(value: 0)
    return try RawServer { connection in
      while let (head, _) = connection.readRequest() {
        seen.add(head)
        if head.contains("Bearer token-1") {
          if counter.arrived.add(1, ordering: .relaxed).newValue == count { for _ in 0..<count { all.signal() } }
          all.wait()
          connection.send("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n")
        } else {
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nin")
        }
      }
    }
  }

  @Test(arguments: [StubbedResponse.status(500), .failure(.refused(host: "h", port: 443))])
  func `after a refused connection or a response with status 500, the credential is not refreshed`(_ answer: StubbedResponse) async {
    let tokens = Tokens()
    let session = Session(.stubbed { _ in answer })
    let request = session.request("https://h/", interceptor: AuthenticationInterceptor(tokens, credential: Token(number: 1)))
    #expect(await request.validate().response().error != nil)
    #expect(tokens.refreshes.load(ordering: .relaxed) == 0)
    #expect(request.retryCount == 0)
  }

  @Test func `six concurrent requests that get 401 cause only one refresh`() async throws {
    let seen = Captured()
    let server = try server(refusing: 6, seen)
    let gate = TestGate()
    let tokens = Tokens(gate: gate)
    let interceptor = AuthenticationInterceptor(tokens, credential: Token(number: 1))
    let session = Session(.ephemeral)
    let requests = (0..<6).map { _ in session.request(server.url, interceptor: interceptor).validate().resume() }
    // All six are refused before the refresh may end.
    while tokens.refused.load(ordering: .relaxed) < 6 { await Task.yield() }
    gate.open()
    for request in requests { #expect(try await request.string == "in") }
    #expect(tokens.refreshes.load(ordering: .relaxed) == 1)
    #expect(seen.all.count == 12)
    #expect(seen.all.suffix(6).allSatisfy { $0.contains("Bearer token-2") })
    #expect(interceptor.credential == Token(number: 2))
  }

  @Test func `an expired credential is refreshed before the request is sent`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let tokens = Tokens()
      let interceptor = AuthenticationInterceptor(tokens, credential: Token(number: 1, hasExpired: true))
      let request = session.request(sandbox.url + "/bearer/token-2", interceptor: interceptor).validate()
      #expect(try await request.json["authenticated"] == true)
      #expect(sandbox.records.map(\.status) == [200])
      #expect(tokens.refreshes.load(ordering: .relaxed) == 1)
    }
  }

  @Test func `if a 401 response refuses an older token, the request is retried with the current token, without a refresh`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let tokens = Tokens()
      let interceptor = AuthenticationInterceptor(tokens, credential: Token(number: 1))
      // Another task sets a new token while the request is on its way.
      let slow = session.request(sandbox.url + "/bearer/token-2", interceptor: interceptor).validate { _, _ in
        interceptor.credential = Token(number: 2)
      }.validate()
      #expect(try await slow.json["token"] == "token-2")
      #expect(tokens.refreshes.load(ordering: .relaxed) == 0)
      #expect(sandbox.records.map(\.status) == [401, 200])
    }
  }

  @Test func `each time the server refuses the current credential, the credential is refreshed again`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let tokens = Tokens()
      let interceptor = AuthenticationInterceptor(tokens, credential: Token(number: 1, hasExpired: true))
      // The first token is stale, and the second one is refused.
      let first = session.request(sandbox.url + "/bearer/token-3", interceptor: interceptor).validate()
      #expect(try await first.json["token"] == "token-3")
      #expect(first.retryCount == 1)
      let second = session.request(sandbox.url + "/bearer/token-4", interceptor: interceptor).validate()
      #expect(try await second.json["token"] == "token-4")
      #expect(second.retryCount == 1)
      #expect(tokens.refreshes.load(ordering: .relaxed) == 3)
      #expect(sandbox.records.map(\.status) == [401, 200, 401, 200])
    }
  }

  @Test func `if the refresh of the credential fails, every request that waits for the refresh fails`() async throws {
    let server = try server(refusing: 4, Captured())
    let gate = TestGate()
    let tokens = Tokens(fails: true, gate: gate)
    let interceptor = AuthenticationInterceptor(tokens, credential: Token(number: 1))
    let session = Session(.ephemeral)
    let requests = (0..<4).map { _ in session.request(server.url, interceptor: interceptor).validate().resume() }
    while tokens.refused.load(ordering: .relaxed) < 4 { await Task.yield() }
    gate.open()
    for request in requests {
      let response = await request.response()
      #expect(response.error?.reason == .authentication(.refreshFailed(.init(Tokens.Refused()))))
      #expect(response.status == 401)
      #expect(response.error?.description == "the credential could not be refreshed: the refresh token has expired")
    }
    #expect(tokens.refreshes.load(ordering: .relaxed) == 1)
  }

  @Test func `the authentication interceptor stops refreshing the credential after five refreshes within 30 seconds`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let tokens = Tokens()
      let interceptor = AuthenticationInterceptor(tokens, credential: Token(number: 1))
      let response = await session.request(sandbox.url + "/bearer/never", interceptor: interceptor).validate().response()
      #expect(response.error?.reason == .authentication(.excessiveRefresh(limit: 5, within: .seconds(30))))
      #expect(tokens.refreshes.load(ordering: .relaxed) == 5)
      #expect(sandbox.records.count == 6)
    }
  }

  @Test func `if two sessions share an authentication interceptor, one refresh of the credential serves both sessions`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let tokens = Tokens()
      let interceptor = AuthenticationInterceptor(tokens, credential: Token(number: 1))
      let other = Session(.ephemeral)
      _ = try await session.request(sandbox.url + "/bearer/token-2", interceptor: interceptor).validate().data
      _ = try await other.request(sandbox.url + "/bearer/token-2", interceptor: interceptor).validate().data
      #expect(tokens.refreshes.load(ordering: .relaxed) == 1)
      #expect(sandbox.records.map(\.status) == [401, 200, 200])
    }
  }

  @Test func `if the authentication interceptor has no credential, a request fails before it is sent`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let interceptor = AuthenticationInterceptor(Tokens())
      let response = await session.request(sandbox.url + "/bearer", interceptor: interceptor).response()
      #expect(response.error?.reason == .authentication(.missingCredential))
      #expect(sandbox.records.isEmpty)
    }
  }

  @Test func `if requests wait for a refresh of the credential, cancelling one of them does not stop the refresh`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let gate = TestGate()
      let tokens = Tokens(gate: gate)
      let interceptor = AuthenticationInterceptor(tokens, credential: Token(number: 1, hasExpired: true))
      let first = session.request(sandbox.url + "/bearer/token-2", interceptor: interceptor).validate().resume()
      while tokens.refreshes.load(ordering: .relaxed) == 0 { await Task.yield() }
      let second = session.request(sandbox.url + "/bearer/token-2", interceptor: interceptor).validate().resume()
      first.cancel()
      #expect(await first.response().error?.reason == .cancelled)
      gate.open()
      #expect(try await second.json["authenticated"] == true)
    }
  }

  /// A refresh that ends after a logout must not log the user in again.
  @Test func `if a refresh of the credential ends after a logout, the refreshed credential is not used`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let gate = TestGate()
      let tokens = Tokens(gate: gate)
      let interceptor = AuthenticationInterceptor(tokens, credential: Token(number: 1, hasExpired: true))
      let request = session.request(sandbox.url + "/bearer/token-2", interceptor: interceptor).validate().resume()
      while tokens.refreshes.load(ordering: .relaxed) == 0 { await Task.yield() }
      interceptor.credential = nil
      gate.open()
      #expect(await request.response().error?.reason == .authentication(.missingCredential))
      #expect(interceptor.credential == nil)
      #expect(sandbox.records.isEmpty)
    }
  }
}

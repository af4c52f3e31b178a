import GarlandNetworking
import Testing
import TransferTestSupport

/// Tests interceptors and handlers that are given by name, such as `.retryPolicy`.
@Suite(.timeLimit(.minutes(15))) struct NamesTests {
  private func redirecting() -> Session {
    Session(.stubbed(by: ["https://h/a": .redirect(to: "/b"), "https://h/b": .text("b"), "https://h/c": .text("c")] as StubTransport))
  }

  @Test func `the shorthand .retryPolicy(limit:delay:) creates a policy that retries as often as the limit allows`() async throws {
    let stubs = StubTransport { _ in .status(503) }
    let request = Session(.stubbed(by: stubs)).request("https://h/", interceptor: .retryPolicy(limit: 3, delay: .zero))
    _ = await request.response()
    #expect(stubs.requests.count == 4)
  }

  @Test func `the retry policy for lost connections does not retry after a response with an error status`() async throws {
    let stubs = StubTransport { _ in .status(503) }
    _ = await Session(.stubbed(by: stubs)).request("https://h/", interceptor: .connectionLostRetryPolicy()).response()
    #expect(stubs.requests.count == 1)
    let lost = StubTransport { _ in .failure(.connectionLost(detail: "")) }
    var configuration = SessionConfiguration.stubbed(by: lost)
    configuration.clock = TestClock().session
    _ = await Session(configuration).request("https://h/", interceptor: .connectionLostRetryPolicy(limit: 3)).response()
    #expect(lost.requests.count == 4)
  }

  @Test func `the retry policy for lost connections retries twice by default`() async throws {
    let lost = StubTransport { _ in .failure(.connectionLost(detail: "")) }
    var configuration = SessionConfiguration.stubbed(by: lost)
    configuration.clock = TestClock().session
    _ = await Session(configuration).request("https://h/", interceptor: .connectionLostRetryPolicy).response()
    #expect(lost.requests.count == 3)
  }

  @Test func `an adapter that is created with the static function 'adapter' of RequestInterceptor changes the request`() async throws {
    let stubs = StubTransport { _ in .status(204) }
    let adapter: any RequestInterceptor = .adapter { request in
      var request = request
      request.headerFields[.userAgent] = "x"
      return request
    }
    _ = await Session(.stubbed(by: stubs)).request("https://h/", interceptor: .interceptor(interceptors: [adapter, .retryPolicy]))
      .response()
    #expect(stubs.requests.first?.headerFields[.userAgent] == "x")
  }

  @Test func `a retrier that is passed as '.retrier { … }' decides whether a request is retried`() async {
    let stubs = StubTransport { _ in .status(503) }
    let session = Session(.stubbed(by: stubs))
    _ = await session.request("https://h/", interceptor: .retrier { $0.retryCount < 2 ? .retry : .doNotRetry }).response()
    #expect(stubs.requests.count == 3)
  }

  @Test func `the redirect handler 'follow' follows a redirect, 'doNotFollow' delivers it, and 'modify' can change its target`()
    async throws
  {
    #expect(try await redirecting().request("https://h/a").redirect(using: .follow).string == "b")
    #expect(await redirecting().request("https://h/a").redirect(using: .doNotFollow).response().status == 302)
    let modified = redirecting().request("https://h/a").redirect(
      using: .modify { _, proposal in
        var proposal = proposal
        proposal.url = "https://h/c"
        return proposal
      })
    #expect(try await modified.string == "c")
    #expect(await redirecting().request("https://h/a").redirect(using: .modify { _, _ in nil }).response().status == 302)
  }

  @Test func `the redirect handler of a session decides about the redirects of its requests`() async {
    func text(_ handler: Redirector) async -> String? {
      var configuration = redirecting().configuration
      configuration.redirectHandler = handler
      return try? await Session(configuration).request("https://h/a").validate().string
    }
    #expect(await text(.follow) == "b")
    #expect(await text(.doNotFollow) == nil)
    let modified = await text(
      .modify { _, proposal in
        var proposal = proposal
        proposal.url = "https://h/c"
        return proposal
      })
    #expect(modified == "c")
  }
}

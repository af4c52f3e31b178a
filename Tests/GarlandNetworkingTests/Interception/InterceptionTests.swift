import GarlandNetworking
import GarlandSandbox
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

@Suite(.timeLimit(.minutes(15))) struct InterceptionTests {
  private func configuration(_ clock: TestClock, _ policy: RetryPolicy = RetryPolicy(random: { 0 })) -> SessionConfiguration {
    var configuration = SessionConfiguration.ephemeral
    configuration.clock = clock.session
    configuration.interceptor = policy
    return configuration
  }

  @Test func `the request's adapter runs before the session's adapter`() async throws {
    var configuration = SessionConfiguration.ephemeral
    configuration.interceptor = Interceptor(adapting: { request in
      var request = request
      request.url += "/session"
      return request
    })
    try await withSandbox(configuration) { (session, sandbox) async throws in
      let own = Interceptor(adapting: { request in
        var request = request
        request.url += "/request"
        return request
      })
      let request = session.request(sandbox.url + "/anything", interceptor: own)
      #expect(try await request.json["path"] == "/anything/request/session")
      #expect(request.request?.url == sandbox.url + "/anything/request/session")
    }
  }

  @Test func `if an adapter throws an error, the request fails with this error`() async throws {
    struct NoKey: Error {}
    let session = Session(.ephemeral)
    let response = await session.request("http://127.0.0.1/", interceptor: Interceptor(adapting: { _ in throw NoKey() })).response()
    #expect(response.error?.reason == .adaptation(.init(NoKey())))
    #expect(response.metrics.isEmpty)
  }

  @Test func `a retry policy retries until the request succeeds`() async throws {
    let clock = TestClock()
    try await withSandbox(configuration(clock)) { (session, sandbox) async throws in
      let request = session.request(sandbox.url + "/flaky/a?fails=2").validate()
      #expect(try await request.json["attempt"] == 3)
      #expect(request.retryCount == 2)
      #expect(request.metrics.count == 3)
      #expect(clock.waits == [.milliseconds(500), .seconds(1)])
      // Statuses are retried without validators too.
      #expect(await session.request(sandbox.url + "/flaky/b?fails=1").response().status == 200)
    }
  }

  @Test func `a retry policy stops when it has reached its limit of retries`() async throws {
    let clock = TestClock()
    try await withSandbox(configuration(clock)) { (session, sandbox) async throws in
      let response = await session.request(sandbox.url + "/flaky/a?fails=9").validate().response()
      #expect(response.error?.reason == .validation(.unacceptableStatus(503)))
      #expect(response.error?.retryRefusal == .limitReached(2))
      #expect(response.error?.description == "the status 503 is not accepted (retried 2 times)")
      #expect(sandbox.records.count == 3)
      let reset = await session.request(sandbox.url + "/flaky/b?fails=1&fault=close").response()
      #expect(reset.status == 200)
    }
  }

  @Test func `a retry waits as long as Retry-After says, unless this is longer than the maximum wait`() async throws {
    let clock = TestClock()
    try await withSandbox(configuration(clock)) { (session, sandbox) async throws in
      #expect(await session.request(sandbox.url + "/flaky/a?fails=1&retry_after=17").response().status == 200)
      #expect(clock.waits == [.seconds(17)])
      let tooLong = await session.request(sandbox.url + "/flaky/b?fails=1&retry_after=3600").validate().response()
      #expect(tooLong.error?.retryRefusal == .waitTooLong(.seconds(3600), limit: .seconds(60)))
      #expect(
        tooLong.error?.description
          == "the status 503 is not accepted (not retried: the server asks to wait 1 h, but the longest wait is 60 s)")
    }
  }

  @Test func `a POST is not retried by default`() async throws {
    try await withSandbox(configuration(TestClock())) { (session, sandbox) async throws in
      let response = await session.request(sandbox.url + "/flaky/a?fails=1", method: .post).validate().response()
      #expect(response.error?.retryRefusal == .notIdempotent("POST"))
      #expect(sandbox.records.count == 1)
    }
  }

  @Test func `a request whose body can be read only once is not retried`() async throws {
    try await withSandbox(configuration(TestClock())) { (session, sandbox) async throws in
      func stream(isRepeatable: Bool) -> BodyStream {
        BodyStream(isRepeatable: isRepeatable) {
          AsyncStream { continuation in
            continuation.yield(Array("hello".utf8))
            continuation.finish()
          }
        }
      }
      let once = session.upload(stream(isRepeatable: false), to: sandbox.url + "/flaky/a?fails=1", method: .put).validate()
      let response = await once.response()
      #expect(response.error?.reason == .validation(.unacceptableStatus(503)))
      #expect(response.error?.retryRefusal == .bodyNotRepeatable)
      #expect(sandbox.records.count == 1)
      let again = session.upload(stream(isRepeatable: true), to: sandbox.url + "/flaky/b?fails=1", method: .put).validate()
      #expect(await again.response().status == 200)
      #expect(sandbox.records.last?.body.text == "hello")
    }
  }

  @Test func `cancelling a request ends its wait for a retry`() async throws {
    let waiting = TestGate()
    var configuration = SessionConfiguration.ephemeral
    configuration.clock = SessionClock(sleep: { _ in
      waiting.open()
      // A gate that nobody opens.
      await TestGate().wait()
      try Task.checkCancellation()
    })
    configuration.interceptor = RetryPolicy()
    try await withSandbox(configuration) { (session, sandbox) async throws in
      let request = session.request(sandbox.url + "/status/503").resume()
      await waiting.wait()
      request.cancel()
      let response = await request.response()
      #expect(response.error?.reason == .cancelled)
      #expect(sandbox.records.count == 1)
    }
  }

  @Test func `a request is not retried if the delay before the retry would exceed the deadline of the request`() async throws {
    var configuration = configuration(TestClock(), RetryPolicy(delay: .seconds(30), random: { 0 }))
    configuration.settings.deadline = .seconds(10)
    try await withSandbox(configuration) { (session, sandbox) async throws in
      let response = await session.request(sandbox.url + "/status/503").validate().response()
      #expect(response.error?.retryRefusal == .deadline)
    }
  }

  @Test func `the request's retrier is asked before the session's retrier whether to retry`() async throws {
    try await withSandbox(configuration(TestClock())) { (session, sandbox) async throws in
      let own = Interceptor(retrying: { _ in .refuse(.refused("not today")) })
      let response = await session.request(sandbox.url + "/status/503", interceptor: own).validate().response()
      #expect(response.error?.retryRefusal == .refused("not today"))
      let silent = Interceptor(retrying: { _ in .doNotRetry })
      #expect(await session.request(sandbox.url + "/flaky/a?fails=1", interceptor: silent).response().status == 200)
    }
  }

  @Test func `a retry after a redirect to another origin sends no credential to that origin`() async throws {
    let seen = Captured()
    let answers = Captured()
    let other = try RawServer { connection in
      while let (head, _) = connection.readRequest() {
        seen.add(head)
        answers.add("")
        let status = answers.all.count == 1 ? "503 No" : "200 OK"
        connection.send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
      }
    }
    for handler in [nil, Redirector.follow] {
      var configuration = configuration(TestClock())
      configuration.redirectHandler = handler
      try await withSandbox(configuration) { (session, sandbox) async throws in
        let key = try #require(HTTPField.Name("X-Key"))
        let response = await session.request(
          sandbox.url + "/redirect-to?url=\(other.url)/", headers: [key: "canary-1"], modify: { $0.credentialFields = [key] }
        ).authenticate(.bearer("canary-2")).response()
        #expect(response.status == 200)
        #expect(sandbox.records.allSatisfy { $0.values(of: "X-Key") == ["canary-1"] })
      }
    }
    #expect(seen.all.count == 3)
    #expect(seen.all.allSatisfy { !$0.contains("canary") })
  }

  // MARK: Redirects

  @Test func `the redirector decides whether a redirect is followed or becomes the response`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let followed = await session.request(sandbox.url + "/redirect/3").redirect(using: Redirector.follow).response()
      #expect(followed.status == 200)
      #expect(followed.response?.redirects.count == 3)
      #expect(followed.metrics.first?.transactions.count == 4)
      #expect(followed.response?.url == sandbox.url + "/anything")
      let plain = await session.request(sandbox.url + "/redirect/3").response()
      #expect(plain.response?.redirects.map(\.target) == followed.response?.redirects.map(\.target))
      let delivered = await session.request(sandbox.url + "/redirect/3").redirect(using: Redirector.doNotFollow).response()
      #expect(delivered.status == 302)
      #expect(delivered.response?.redirects.isEmpty == true)
    }
  }

  @Test func `a redirector can change the URL and the fields of the next request`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let redirector = Redirector { redirect, proposal in
        var proposal = proposal
        proposal.url = sandbox.url + "/anything/elsewhere?from=\(redirect.status.code)"
        proposal.headerFields[.referer] = redirect.url
        return .modify(proposal)
      }
      let response = await session.request(sandbox.url + "/redirect/1").redirect(using: redirector).response(with: JSONResponseSerializer())
      #expect(try response.value["path"] == "/anything/elsewhere")
      #expect(try response.value["header"]?["referer"] == .string(sandbox.url + "/redirect/1"))
    }
  }

  /// A handler may redirect to another origin than the server did: credentials for the first origin
  /// are dropped, fields that the handler sets are sent.
  @Test func `if a redirector replaces the target of a redirect by a URL of another origin, the first origin's credential is not sent`()
    async throws
  {
    let seen = Captured()
    let other = try RawServer { connection in
      while let (head, _) = connection.readRequest() {
        seen.add(head)
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      }
    }
    try await withSandbox { (session, sandbox) async throws in
      let key = try #require(HTTPField.Name("X-Key"))
      func send(_ authorization: String?) async -> HTTPResponse.Status? {
        let redirector = Redirector { _, proposal in
          var proposal = proposal
          proposal.url = other.url + "/"
          if let authorization { proposal.headerFields[.authorization] = authorization }
          return .modify(proposal)
        }
        return await session.request(
          sandbox.url + "/redirect/1", headers: [key: "canary-1", .cookie: "c=canary-2", .authorization: "canary-3"],
          modify: { $0.credentialFields = [key] }
        ).redirect(using: redirector).response().response?.status
      }
      #expect(await send(nil) == .ok)
      #expect(await send("Bearer theirs") == .ok)
    }
    #expect(seen.all.count == 2)
    #expect(seen.all.allSatisfy { !$0.contains("canary") })
    #expect(seen.all.last?.contains("Bearer theirs") == true)
  }

  @Test
  func `a redirector that follows redirects can't override the session's rules for redirects`()
    async throws
  {
    let seen = Captured()
    let other = try RawServer { connection in
      seen.set(connection.readHead())
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
    try await withSandbox { (session, sandbox) async throws in
      let key = try #require(HTTPField.Name("X-Key"))
      let request = session.request(
        sandbox.url + "/redirect-to?status=302&url=\(other.url)/", method: .post, parameters: ["a": 1],
        headers: [key: "canary-1", .cookie: "c=canary-2"], modify: { $0.credentialFields = [key] }
      ).authenticate(user: "canary-3", password: "x", preemptive: true).redirect(using: Redirector.follow)
      #expect(await request.response().status == 200)
      #expect(seen.text.hasPrefix("GET / HTTP/1.1"))
      #expect(!seen.text.contains("canary"))
      #expect(!seen.text.lowercased().contains("authorization"))
      let loop = await session.request(sandbox.url + "/redirect/loop").redirect(using: Redirector.follow).response()
      #expect(loop.error?.reason == .redirect(.tooMany(limit: 20)))
    }
  }
}

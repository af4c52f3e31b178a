import GarlandJSON
import GarlandNetworking
import GarlandSandbox
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

@Suite(.timeLimit(.minutes(15))) struct SessionTests {
  struct Echo: Decodable, Sendable, Equatable {
    var method: String
    var path: String
  }

  @Test func `the description of a request contains its method, URL and status`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let request = session.request(
        sandbox.url + "/anything/here", method: .put, parameters: ["a": 1], headers: [.accept: "application/json"])
      #expect(request.description == "PUT \(sandbox.url)/anything/here")
      #expect(request.state == .initialized)
      let echo = try await request.validate().response(of: Echo.self).value
      #expect(echo == Echo(method: "PUT", path: "/anything/here"))
      #expect(request.description == "PUT \(sandbox.url)/anything/here (200)")
      #expect(request.state == .finished)
      #expect(request.response?.status == .ok)
      #expect(request.metrics.count == 1)
      #expect(request.retryCount == 0)
    }
  }

  @Test func `if the response to one request is read as text, as JSON and as bytes, the request is sent only once`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let request = session.request(sandbox.url + "/json").validate()
      async let text = request.string
      async let json = request.json
      let bytes = try await request.data
      #expect(try await JSONValue(parsing: text) == json)
      #expect(try await text.utf8.count == bytes.count)
      // Also serializers that are added after the end.
      #expect(try await request.json["catalog"] != nil)
      #expect(sandbox.records.count == 1)
    }
  }

  @Test func `a default header field of the session is added unless the request sets or removes it`() async throws {
    var configuration = SessionConfiguration.ephemeral
    configuration.headerFields = [.accept: "text/x-default", .acceptLanguage: "de", .cacheControl: "no-cache"]
    try await withSandbox(configuration) { (session, sandbox) async throws in
      _ = try await session.request(
        sandbox.url + "/get", headers: [.accept: "application/json"], modify: { $0.removedFields.insert(.cacheControl) }
      ).data
      let record = try #require(sandbox.records.first)
      #expect(record.values(of: "Accept") == ["application/json"])
      #expect(record.values(of: "Accept-Language") == ["de"])
      #expect(record.values(of: "Cache-Control") == [])
    }
  }

  @Test func `if a configuration is changed after a session was created from it, the session does not change`() async throws {
    var configuration = SessionConfiguration.default
    configuration.headerFields = [.accept: "text/one"]
    let session = Session(configuration)
    configuration.headerFields = [.accept: "text/two"]
    #expect(session.configuration.headerFields[.accept] == "text/one")
    #expect(session.configuration.settings.idleTimeout == .seconds(60))
    #expect(session.configuration.settings.deadline == .seconds(604_800))
    #expect(session.configuration.connectionsPerOrigin == 6)
    #expect(session.engine.configuration.connectionsPerOrigin == 6)
  }

  @Test func `if the session and the request set the same limit or security setting, the stricter value applies`() {
    var session = TransferSettings()
    session.deadline = .seconds(10)
    session.maximumBodyBytes = 100
    session.tls.minimumVersion = .tls1_3
    session.redirects = .follow(maximum: 3)
    var request = TransferSettings()
    request.idleTimeout = .seconds(600)
    request.tls.verifies = false
    request.tls.minimumVersion = .tls1_0
    let result = request.restricted(by: session)
    #expect(result.idleTimeout == .seconds(600))
    #expect(result.deadline == .seconds(10))
    #expect(result.maximumBodyBytes == 100)
    #expect(result.tls.minimumVersion == .tls1_3)
    #expect(result.tls.verifies)
    #expect(result.redirects == .follow(maximum: 3))
    // The request may be stricter too.
    #expect(session.restricted(by: request).deadline == .seconds(10))
    session.redirects = .deliver
    #expect(request.restricted(by: session).redirects == .deliver)
  }

  @Test func `cookies are isolated, shared or disabled as configured`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      _ = try await session.request(sandbox.url + "/cookies/set/a/1").data
      let cookies = try await session.request(sandbox.url + "/cookies").string
      #expect(cookies.contains("\"1\""))
      let other = Session(.ephemeral)
      #expect(try await !other.request(sandbox.url + "/cookies").string.contains("\"1\""))
    }
    var none = SessionConfiguration.ephemeral
    none.cookies = .none
    try await withSandbox(none) { (session, sandbox) async throws in
      #expect(session.cookies == nil)
      _ = try await session.request(sandbox.url + "/cookies/set/a/1").data
      #expect(try await !session.request(sandbox.url + "/cookies").string.contains("\"1\""))
    }
    var shared = SessionConfiguration.ephemeral
    shared.cookies = .shared
    try await withSandbox(shared) { (session, sandbox) async throws in
      _ = try await session.request(sandbox.url + "/cookies/set/everybodys/1").data
      #expect(try await Session(shared).request(sandbox.url + "/cookies").string.contains("\"everybodys\""))
      #expect(CookieJar.shared.cookies.contains { $0.name == "everybodys" })
      CookieJar.shared.removeAll { $0.name == "everybodys" }
    }
    let jar = CookieJar()
    var given = SessionConfiguration.ephemeral
    given.cookies = .jar(jar)
    try await withSandbox(given) { (session, sandbox) async throws in
      _ = try await session.request(sandbox.url + "/cookies/set/a/1").data
      #expect(jar.cookies.map(\.name) == ["a"])
    }
  }

  @Test func `finishAndInvalidate lets running requests finish and refuses new ones`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let running = session.request(sandbox.url + "/delay/0.1").resume()
      session.finishAndInvalidate()
      #expect(session.runningRequests == [running])
      let late = await session.request(sandbox.url + "/get").response()
      #expect(late.error?.reason == .invalidated)
      #expect(await running.response().status == 200)
      #expect(session.runningRequests.isEmpty)
      // The session's connections are closed.
      let request = TransferRequest(url: sandbox.url + "/get")
      let error = await #expect(throws: NetworkingError.self) { try await session.engine.response(for: request) }
      #expect(error?.reason == .shutDown)
    }
  }

  @Test func `if two sessions are created with the same engine, the second reuses a connection of the first`() async throws {
    let sandbox = try await Sandbox.start()
    let engine = Engine()
    let first = Session(.ephemeral, engine: engine)
    let second = Session(.ephemeral, engine: engine)
    let port = await first.request(sandbox.url + "/get").response().metrics.first?.transactions.first?.localPort
    first.finishAndInvalidate()
    let response = await second.request(sandbox.url + "/get").response()
    #expect(response.metrics.first?.transactions.first?.localPort == port)
    await sandbox.stop()
  }

  @Test func `cancelAndInvalidate cancels running requests`() async throws {
    let server = try RawServer { $0.readToEnd() }
    let session = Session(.ephemeral)
    let requests = (0..<3).map { _ in session.request(server.url).resume() }
    session.cancelAndInvalidate()
    for request in requests {
      #expect(await request.response().error?.reason == .cancelled)
      #expect(request.state == .cancelled)
    }
  }

  @Test func `repeated GET requests with a body cause only one warning`() async throws {
    let warnings = Collected<SessionWarning>()
    var configuration = SessionConfiguration.ephemeral
    configuration.warn = { warnings.add($0) }
    try await withSandbox(configuration) { (session, sandbox) async throws in
      for _ in 0..<2 {
        let echo = try await session.request(
          sandbox.url + "/anything", parameters: ["a": 1], encoding: .form
        ).json
        #expect(echo["method"] == "GET")
        #expect(echo["body"]?["text"] == "a=1")
      }
    }
    #expect(warnings.all == [.contentInGet])
  }

  @Test func `a request can have any method`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      for name in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"] {
        let method = try #require(HTTPRequest.Method(name))
        #expect(try await session.request(sandbox.url + "/anything", method: method).json["method"] == .string(name))
      }
      let head = session.request(sandbox.url + "/anything", method: .head)
      #expect(try await head.validate(contentTypes: ["image/png"]).data.isEmpty)
      #expect(head.description == "HEAD \(sandbox.url)/anything (200)")
    }
  }

  @Test func `an invalid request fails without being sent`() async throws {
    let session = Session(.ephemeral)
    #expect(await session.request("no url").response().error?.reason.kind == .invalidRequest)
    #expect(
      await session.request("http://h/", parameters: ["a": [1]], encoding: JSONParameters()).cancel().response().error?.reason == .cancelled
    )
    let list = await session.request("http://h/", parameters: [1]).response()
    #expect(list.error?.reason == .parameters(.notAnObject))
    #expect(list.error?.reason.kind == .invalidRequest)
    #expect(list.request == nil)
  }

  @Test func `a shell that runs the cURL description of a request sends the same request`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let request = session.request(
        sandbox.url + "/anything", method: .post, parameters: ["title": "it's"], encoding: .json, headers: [.accept: "application/json"]
      ).authenticate(user: "u", password: "p", preemptive: true)
      let command = request.cURLDescription
      let output = try await ChildProcess.run("/bin/sh", ["-c", command + " --silent"]).output
      let echo = try JSONValue(parsing: output)
      #expect(echo["json"] == ["title": "it's"])
      #expect(echo["header"]?["authorization"] == "Basic dTpw")
      #expect(!request.description.contains("u:p"))
      #expect(session.request("http://u:p@h/").description == "GET http://h/")
    }
  }

  @Test(
    arguments: [
      ([:], nil), (["LANG": "C.UTF-8"], nil), (["LANG": "POSIX"], nil), (["LANG": "de_AT.UTF-8"], "de-AT"),
      (["LANG": "de_AT.UTF-8", "LANGUAGE": "de_AT:en:de_AT"], "de-AT, en;q=0.9"),
      (["LC_ALL": "C", "LANG": "de_DE", "LANGUAGE": "de"], nil),
      (["LC_ALL": "fr_FR@euro", "LANG": "de_DE"], "fr-FR"), (["LANG": "x y"], nil),
    ] as [([String: String], String?)])
  func `the environment variables for the locale determine Accept-Language`(_ environment: [String: String], _ expected: String?) {
    #expect(AcceptLanguage.value(for: environment) == expected)
  }
}

import GarlandNetworking
import Synchronization
import TestSupport
import Testing

/// Tests closures that answer challenges.
@Suite(.timeLimit(.minutes(15))) struct ChallengeHandlerTests {
  @Test func `a credential from the challenge handler is used for a digest challenge`() async throws {
    let url = try HTTPBinServer.shared().url + "/digest-auth/auth/user/pass/SHA-256"
    let seen = Mutex<[ProtectionSpace]>([])
    let request = Session(.ephemeral).request(url).authenticate { challenge in
      seen.withLock { $0.append(challenge.space) }
      return .use(.challenged(user: "user", password: "pass"))
    }
    #expect(await request.response().status == 200)
    let space = try #require(seen.withLock { $0 }.first)
    #expect(seen.withLock { $0.count } == 1)
    #expect(space.scheme == "digest")
    #expect(space.realm == "me@kennethreitz.com")
  }

  @Test func `after a refused credential, the challenge handler is called again with the number of failures`() async throws {
    let session = Session(
      .stubbed { request in
        guard request.headerFields[.authorization] == "Bearer right" else {
          return .status(401, headerFields: [.wwwAuthenticate: #"Bearer realm="api""#])
        }
        return .text("in")
      })
    let request = session.request("https://h/").authenticate { challenge in
      .use(.bearer(challenge.failures == 0 ? "wrong" : "right"))
    }
    #expect(try await request.string == "in")
  }

  @Test func `if the challenge handler returns .deliver, the response with status 401 is delivered`() async throws {
    let session = Session(.stubbed { _ in .status(401, headerFields: [.wwwAuthenticate: "Basic realm=x"]) })
    #expect(await session.request("https://h/").authenticate { _ in .deliver }.response().status == 401)
  }

  @Test func `if the challenge handler decides to cancel, the request is cancelled`() async throws {
    let session = Session(.stubbed { _ in .status(401, headerFields: [.wwwAuthenticate: "Basic realm=x"]) })
    #expect(await session.request("https://h/").authenticate { _ in .cancel }.response().error?.reason == .cancelled)
  }

  @Test func `a challenge handler whose credentials are always refused is called only five times`() async throws {
    let stubs = StubTransport { _ in .status(401, headerFields: [.wwwAuthenticate: "Bearer"]) }
    let request = Session(.stubbed(by: stubs)).request("https://h/").authenticate { .use(.bearer("\($0.failures)")) }
    #expect(await request.response().status == 401)
    #expect(stubs.requests.count == 6)
  }

  @Test func `the challenge handler of the session provides the credential for a stream`() async throws {
    var configuration = SessionConfiguration.stubbed { request in
      request.headerFields[.authorization] == nil ? .status(401, headerFields: [.wwwAuthenticate: "Basic realm=x"]) : .text("in")
    }
    configuration.challengeHandler = ChallengeResponder { _ in .use(.basic(user: "u", password: "p")) }
    var text = ""
    for try await piece in Session(configuration).stream("https://h/").values(with: .string) { text += piece }
    #expect(text == "in")
  }

  @Test func `after a redirect to another origin, a 401 does not call the challenge handler`() async throws {
    let stubs: StubTransport = [
      "https://h/": .redirect(to: "https://other/"), "https://other/": .status(401, headerFields: [.wwwAuthenticate: "Basic realm=x"]),
    ]
    let request = Session(.stubbed(by: stubs)).request("https://h/").authenticate { _ in .use(.basic(user: "u", password: "p")) }
    #expect(await request.response().status == 401)
    #expect(stubs.requests.count == 2)
  }

  @Test func `for a 401 without a challenge, the challenge handler is not called`() async throws {
    let stubs = StubTransport { _ in .status(401) }
    let request = Session(.stubbed(by: stubs)).request("https://h/").authenticate { _ in .cancel }
    #expect(await request.response().status == 401)
  }
}

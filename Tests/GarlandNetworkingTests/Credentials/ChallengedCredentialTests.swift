import GarlandNetworking
import TestSupport
import Testing
import TransferTestSupport

/// Tests users and passwords that wait for a challenge, with third-party servers.
@Suite(.timeLimit(.minutes(15))) struct ChallengedCredentialTests {

  @Test func `after a digest challenge from httpbin, the request is repeated with a digest and accepted`() async throws {
    let url = try HTTPBinServer.shared().url + "/digest-auth/auth/user/pass/SHA-256"
    let request = Session(.ephemeral).request(url).authenticate(user: "user", password: "pass")
    #expect(await request.response().status == 200)
    #expect(request.metrics.flatMap(\.transactions).count == 2)
  }

  @Test func `a request that is repeated after a challenge does not count as a redirect in the metrics`() async throws {
    let url = try HTTPBinServer.shared().url + "/digest-auth/auth/user/pass/SHA-256"
    let request = Session(.ephemeral).request(url).authenticate(user: "user", password: "pass")
    #expect(await request.response().status == 200)
    #expect(request.metrics.map(\.redirectCount) == [0])
  }

  @Test func `after a challenge for HTTP Basic authentication, the next request sends the credential at once`() async throws {
    let url = try HTTPBinServer.shared().url + "/basic-auth/user/pass"
    let session = Session(.ephemeral)
    for count in [2, 1] {
      let request = session.request(url).authenticate(user: "user", password: "pass")
      #expect(await request.response().status == 200)
      #expect(request.metrics.flatMap(\.transactions).count == count)
    }
  }

  @Test func `a basic credential that is set in the session is sent with the session's requests`() async throws {
    let url = try HTTPBinServer.shared().url
    for credential in [Credential.basic(user: "user", password: "pass"), .challenged(user: "user", password: "pass")] {
      var configuration = SessionConfiguration.ephemeral
      try configuration.credentials.set(credential, for: url)
      #expect(await Session(configuration).request(url + "/basic-auth/user/pass").response().status == 200)
    }
  }

  @Test func `without a challenge from the server, no credential is sent`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let echo = try await session.request(sandbox.url + "/anything").authenticate(user: "user", password: "pass").json
      #expect(echo["header"]?["authorization"] == nil)
    }
  }

  @Test(arguments: ["/basic-auth/user/pass", "/digest-auth/auth/user/pass"])
  func `a wrong password is sent only once, and the second 401 is the response`(_ path: String) async throws {
    let url = try HTTPBinServer.shared().url + path
    let request = Session(.ephemeral).request(url).authenticate(user: "user", password: "wrong")
    #expect(await request.response().status == 401)
    #expect(request.metrics.flatMap(\.transactions).count == 2)
  }

  @Test func `after a challenge, the body is sent again together with the credential`() async throws {
    let url = try ApacheServer.shared().url
    let sent = Session(.ephemeral).upload(Array("x".utf8), to: url + "/basic/secret.txt").authenticate(user: "user", password: "pass")
    #expect(try await sent.validate().string == "secret\n")
  }

  @Test func `preemptive credentials are sent with the first request`() async throws {
    let url = try HTTPBinServer.shared().url + "/basic-auth/user/pass"
    let request = Session(.ephemeral).request(url).authenticate(user: "user", password: "pass", preemptive: true)
    #expect(await request.response().status == 200)
    #expect(request.metrics.flatMap(\.transactions).count == 1)
  }

  @Test func `if a request sends its credential only after a challenge, its curl command has the option --anyauth`() {
    let request = Session(.ephemeral).request("http://h/").authenticate(user: "u", password: "p")
    #expect(request.cURLDescription.contains("--anyauth"))
  }
}

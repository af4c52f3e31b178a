import GarlandText
import Glibc
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

@testable import GarlandNetworking
@testable import GarlandTransfer

/// Tests authentication by libcurl: NTLM, and Negotiate with a real KDC and Apache.
@Suite(.timeLimit(.minutes(15))) struct LibraryAuthenticationTests {
  // MARK: NTLM

  /// A server that asks for NTLM like IIS. It accepts any third message.
  private final class NTLMServer: Sendable {
    let seen = Captured()
    let server: RawServer

    /// A challenge with the flags for Unicode, NTLM and target information, which is empty.
    private static let challenge =
      Array("NTLMSSP\0".utf8) + [2, 0, 0, 0] + [0, 0, 0, 0, 48, 0, 0, 0] + [0x01, 0x02, 0x80, 0] + [1, 2, 3, 4, 5, 6, 7, 8]
      + [0, 0, 0, 0, 0, 0, 0, 0] + [4, 0, 4, 0, 48, 0, 0, 0] + [0, 0, 0, 0]

    init(refuses: Bool = false, target: String? = nil) throws {
      let seen = seen
      server = try RawServer { connection in
        // NTLM authenticates the connection.
        var isKnown = false
        while let (head, body) = connection.readRequest() {
          let token = head.split(separator: "\r\n").first { $0.hasPrefix("Authorization: NTLM ") }.map { $0.dropFirst(20) }
          let message = token.flatMap { try? Base64.decode(String($0)) } ?? []
          let kind = message.count > 8 ? message[8] : 0
          seen.add("\(kind) \(body.count)")
          switch kind {
          case 0 where isKnown: connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nin")
          case 1:
            let challenge = Base64.encode(Self.challenge)
            connection.send("HTTP/1.1 401 No\r\nWWW-Authenticate: NTLM \(challenge)\r\nContent-Length: 5\r\n\r\nfirst")
          case 3 where refuses:
            connection.send("HTTP/1.1 401 No\r\nWWW-Authenticate: NTLM\r\nContent-Length: 6\r\n\r\nsecond")
          case 3:
            isKnown = true
            if let target {
              connection.send("HTTP/1.1 307 Off\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n")
            } else {
              seen.add(message.filter { $0 != 0 }.contains(Array("alice".utf8)) ? "alice" : "nobody")
              connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nin")
            }
          default: connection.send("HTTP/1.1 401 No\r\nWWW-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n")
          }
        }
      }
    }
  }

  private static let ntlm = Credential.ntlm(user: "HOME\\alice", password: "pass")

  @Test func `a connection that NTLM has authenticated is reused only for the same credential`() async throws {
    let server = try NTLMServer()
    let engine = Engine()
    var request = TransferRequest(url: server.server.url, credential: Self.ntlm)
    let response = try await engine.response(for: request)
    #expect(response.status == .ok)
    #expect(response.bytes == Array("in".utf8))
    #expect(response.metrics.transactions.map(\.authenticationLegs) == [1])
    #expect(server.seen.all == ["1 0", "3 0", "alice"])
    // The connection stays authenticated for further requests.
    request.method = .put
    request.body = .bytes(Array("content".utf8))
    #expect(try await engine.response(for: request).status == .ok)
    #expect(server.seen.all == ["1 0", "3 0", "alice", "0 7"])
    // Another credential cannot use the connection.
    request.credential = nil
    #expect(try await engine.response(for: request).status == .unauthorized)
  }

  @Test func `an NTLM login sends the body of the request only with the last NTLM message`() async throws {
    let server = try NTLMServer()
    let request = TransferRequest(
      url: server.server.url, method: .put, body: .bytes(Array("content".utf8)), credential: Self.ntlm)
    #expect(try await Engine().response(for: request).status == .ok)
    #expect(server.seen.all == ["1 0", "3 7", "alice"])
  }

  @Test func `if an NTLM login is refused, the response is the second 401`() async throws {
    let server = try NTLMServer(refuses: true)
    let session = Session(.ephemeral)
    let response = await session.request(server.server.url).authenticate(Self.ntlm).response()
    #expect(response.status == 401)
    #expect(response.response?.bytes == Array("second".utf8))
    #expect(
      response.response?.authenticationRefusal?.description == "the server asks for NTLM, was sent NTLM, and does not accept it")
    // A stream shows no more content than a plain request.
    let stream = session.stream(server.server.url).authenticate(Self.ntlm)
    var bytes: [UInt8] = []
    for try await piece in stream { bytes += piece }
    #expect(bytes == Array("second".utf8))
    #expect(stream.response?.status == .unauthorized)
  }

  @Test func `a redirect to another origin carries no NTLM message`() async throws {
    let other = try NTLMServer()
    let server = try NTLMServer(target: other.server.url)
    let response = try await Engine().response(for: TransferRequest(url: server.server.url, credential: Self.ntlm))
    #expect(response.status == .unauthorized)
    #expect(response.redirects.count == 1)
    #expect(other.seen.all == ["0 0"])
  }

  @Test func `a credential is refused if libcurl was built without support for its scheme`() throws {
    let library = CurlLibrary(version: "9.9", contentCodings: "", hasNTLM: false, hasNegotiate: false)
    for (credential, words) in [(Self.ntlm, "NTLM"), (Credential.negotiate, "Negotiate")] {
      let error = #expect(throws: NetworkingError.self) { try library.check(credential) }
      #expect(error?.reason == .unsupported("\(words): libcurl 9.9 was built without it"))
    }
    for scheme in [ProxyCredentials.Scheme.ntlm, .negotiate] { #expect(throws: NetworkingError.self) { try library.check(scheme) } }
    try library.check(.digest(user: "", password: ""))
    for scheme in [ProxyCredentials.Scheme.basic, .digest, .any] { try library.check(scheme) }
  }

  // MARK: Negotiate

  /// The test runs in its own process, because Kerberos reads the environment.
  @Test func `a Kerberos ticket authenticates requests`() async throws {
    let server = try KerberosServer.shared()
    let url = server.url
    let environment = server.environment
    await #expect(processExitsWith: .success) { [url = url as String, environment = environment as [String: String]] in
      for (name, value) in environment { setenv(name, value, 1) }
      let engine = Engine()
      var request = TransferRequest(url: url + "/negotiate/secret.txt", credential: .negotiate)
      for _ in 0..<2 {
        let response = try await engine.response(for: request)
        #expect(response.status == .ok)
        #expect(response.bytes == Array("secret\n".utf8))
      }
      request.method = .post
      request.body = .bytes(Array("content".utf8))
      #expect(try await engine.response(for: request).status == .ok)
      // Without the credential earlier connections are not reused.
      request.credential = nil
      let response = try await engine.response(for: request)
      #expect(response.status == .unauthorized)
      #expect(AuthenticationChallenge.all(in: response.headerFields).contains { $0.isOf(scheme: "Negotiate") })
      engine.shutDown()
    }
  }

  @Test func `without a Kerberos ticket, the response has status 401 and provides the Kerberos library's error message`() async throws {
    let server = try KerberosServer.shared()
    let url = server.url
    let environment = server.environmentWithoutTicket
    await #expect(processExitsWith: .success) { [url = url as String, environment = environment as [String: String]] in
      for (name, value) in environment { setenv(name, value, 1) }
      let engine = Engine()
      let response = try await engine.response(for: TransferRequest(url: url + "/negotiate/secret.txt", credential: .negotiate))
      #expect(response.status == .unauthorized)
      #expect(response.request.ticketProblem?.hasPrefix("No credentials were supplied") == true)
      #expect(response.authenticationRefusal?.sentScheme == nil && response.authenticationRefusal?.schemes == ["Negotiate"])
      #expect(try await engine.response(for: TransferRequest(url: url + "/open.txt")).request.ticketProblem == nil)
      engine.shutDown()
    }
  }
}

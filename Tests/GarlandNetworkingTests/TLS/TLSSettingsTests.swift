import GarlandNetworking
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

/// Tests versions, ciphers, server names and resumption, with nginx.
@Suite(.timeLimit(.minutes(15))) struct TLSSettingsTests {
  let server: TrustServer

  init() throws { server = try TrustServer.shared() }

  @Test func `minimum and maximum TLS versions are enforced`() async throws {
    let url = server.url(.server)
    #expect(try await server.session().answer(url).version == "TLSv1.3")
    #expect(try await server.session { $0.maximumVersion = .tls1_2 }.answer(url).version == "TLSv1.2")
    #expect(try await server.session { $0.minimumVersion = .tls1_3 }.answer(url).version == "TLSv1.3")
    #expect(try await server.session().answer(server.url(.old)).version == "TLSv1.2")
    #expect(try await server.session { $0.minimumVersion = .tls1_3 }.failure(server.url(.old)) == .alert(.protocolVersion))
    // A session's minimum version applies to its requests, even if no version is left.
    let strict = try server.session { $0.minimumVersion = .tls1_3 }
    #expect(await strict.failure(server.url(.old), { $0.settings.tls.minimumVersion = .tls1_2 }) == .alert(.protocolVersion))
    #expect(await strict.failure(url, { $0.settings.tls.maximumVersion = .tls1_2 }) == .settings)
    #expect(try await server.session().answer(url, { $0.settings.tls.maximumVersion = .tls1_2 }).version == "TLSv1.2")
  }

  @Test func `a connection offers only the configured ciphers`() async throws {
    let url = server.url(.server)
    let suite = try await server.session { $0.cipherSuites = "TLS_CHACHA20_POLY1305_SHA256" }.answer(url)
    #expect(suite.cipher == "TLS_CHACHA20_POLY1305_SHA256")
    let cipher = "ECDHE-ECDSA-AES128-GCM-SHA256"
    #expect(try await server.session { $0.ciphers = cipher }.answer(server.url(.old)).cipher == cipher)
    #expect(try await server.session().answer(server.url(.old), { $0.settings.tls.ciphers = cipher }).cipher == cipher)
    #expect(
      try await server.session { $0.ciphers = "ECDHE-ECDSA-AES256-GCM-SHA384" }.failure(server.url(.old)) == .alert(.handshakeFailure))
    #expect(try await server.session { $0.ciphers = "NO-SUCH-CIPHER" }.failure(server.url(.old)) == .settings)
    #expect(try await server.session { $0.cipherSuites = "NO_SUCH_SUITE" }.failure(url) == .settings)
  }

  @Test func `a connection sends the configured TLS server name`() async throws {
    let url = server.url(.server)
    #expect(try await server.session().answer(url).serverName == "localhost")
    #expect(try await server.session { $0.serverName = .name("front.example") }.answer(url).serverName == "front.example")
    #expect(try await server.session { $0.serverName = .none }.answer(url).serverName == "")
    // An address is not sent as a server name (RFC 6066, section 3).
    #expect(try await server.session().answer(url.replacing("localhost", with: "127.0.0.1")).serverName == "")
    // The certificate must still be for the URL's host.
    #expect(try await server.session { $0.serverName = .name("example.com") }.failure(server.url(.wronghost)) == .wrongHost)
    // The setting works together with evaluators.
    #expect(try await server.session(try server.pins("root")) { $0.serverName = .name("a.example") }.answer(url).serverName == "a.example")
  }

  /// Requests share a connection only if they would have opened the same one, for any number of
  /// different settings.
  @Test func `two requests with different TLS settings do not share a connection`() async throws {
    var configuration = SessionConfiguration.ephemeral
    configuration.settings.tls.authorities = server.file("root.pem")
    configuration.connectionsPerOrigin = 20
    let session = Session(configuration)
    let url = server.url(.server)
    var ports: [Int?] = []
    for round in 0..<2 {
      for number in 0..<12 {
        let response = await session.request(url, modify: { $0.settings.tls.serverName = .name("n\(number).example") }).validate()
          .response()
        #expect(try TrustAnswer(String(decoding: response.data, as: UTF8.self)).serverName == "n\(number).example")
        let port = response.metrics.last?.transactions.last?.localPort
        if round == 0 {
          #expect(!ports.contains(port))
          ports.append(port)
        } else if number < 7 {
          #expect(ports[number] == port)
        }
      }
    }
  }

  @Test func `TLS sessions are resumed only for requests without trust evaluators`() async throws {
    let url = server.url(.server)
    let session = try server.session()
    func isResumed(_ trust: ServerTrustManager?) async throws -> Bool {
      try await session.answer(url) {
        $0.close()
        $0.settings.serverTrust = trust
      }.isResumed
    }
    let pinned = try ServerTrustManager(["localhost": server.pins("server")])
    let others = try ServerTrustManager(allHostsMustBeEvaluated: false, ["example.com": server.pins("server")])
    #expect(try await !isResumed(nil))
    #expect(try await isResumed(nil))
    // A session could be resumed, and is not.
    #expect(try await !isResumed(pinned))
    #expect(try await !isResumed(pinned))
    #expect(try await isResumed(nil))
    #expect(try await isResumed(others))
  }

  /// The engine shares TLS sessions among its handles: each request here uses a new handle, since
  /// the earlier ones are in use.
  ///
  /// The requests run one after another. OpenSSL offers a TLS 1.3 ticket once: a connection between
  /// the end of a resumed handshake and the arrival of the next ticket finds none and creates its
  /// own session, as with libcurl alone in one of six attempts.
  @Test func `a request can resume the TLS session of an earlier request while other requests are running`() async throws {
    let session = try server.session()
    let silent = try RawServer { $0.readToEnd() }
    _ = try await session.answer(server.url(.server)) { $0.close() }
    for number in 1...4 {
      session.request(silent.url).resume()
      while silent.connectionCount < number { await Task.yield() }
      #expect(try await session.answer(server.url(.server)) { $0.close() }.isResumed)
    }
    session.cancelAndInvalidate()
  }

  /// A resumed connection has no certificate chain, so a request with evaluators opens another.
  @Test func `a request with trust evaluators does not use a connection with a resumed TLS session`() async throws {
    let url = server.url(.server)
    let session = try server.session()
    let pinned = try ServerTrustManager(["localhost": server.pins("server")])
    _ = try await session.answer(url) { $0.close() }
    #expect(try await session.answer(url).isResumed)
    #expect(try await session.answer(url).isResumed)
    #expect(try await !session.answer(url) { $0.settings.serverTrust = pinned }.isResumed)
    #expect(await session.refusal(url, { $0.settings.serverTrust = pinned }) == nil)
  }
}

extension TransferRequest {
  /// Makes the server close the connection after the response.
  fileprivate mutating func close() {
    settings.version = .http1
    headerFields[.connection] = "close"
  }
}

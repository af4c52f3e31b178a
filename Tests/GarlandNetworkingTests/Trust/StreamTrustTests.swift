import GarlandNetworking
import TestSupport
import Testing
import TransferTestSupport

/// Tests evaluators for streams that begin with TLS or switch to TLS.
@Suite(.timeLimit(.minutes(15))) struct StreamTrustTests {
  private func open(_ session: Session, _ port: UInt16, isSecure: Bool) async throws -> StreamTask {
    let stream = session.stream(toHost: "localhost", port: Int(port), isSecure: isSecure)
    if !isSecure { try await stream.startTLS() }
    return stream
  }

  private func request(_ path: String) -> [UInt8] { Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8) }

  @Test(arguments: [true, false]) func `a TLS stream is accepted if a pin matches any certificate of the server's chain`(_ isSecure: Bool)
    async throws
  {
    let server = try TrustServer.shared()
    for name in ["server", "intermediate", "root"] {
      let stream = try await open(try server.session(server.pins(name)), server.port(.server), isSecure: isSecure)
      try await stream.write(request("/stream"))
      let answer = try await stream.read(atLeast: 15, atMost: 15)
      #expect(String(decoding: answer.bytes, as: UTF8.self) == "HTTP/1.1 200 OK")
    }
  }

  /// With keys outside the chain, or only sent beside it, the stream never opens and nothing is
  /// written.
  @Test(arguments: [true, false]) func `a TLS stream to a server whose key matches no pin is refused before any bytes are written`(
    _ isSecure: Bool
  )
    async throws
  {
    let server = try TrustServer.shared()
    for (name, kind) in [("root2", TrustServer.Kind.server), ("stranger", .extra), ("other", .extra)] {
      let path = "/stream-refused-\(name)-\(isSecure)"
      let stream = try server.session(server.pins(name)).stream(toHost: "localhost", port: Int(server.port(kind)), isSecure: isSecure)
      var refusals: [NetworkingError.Trust] = []
      for step in 0..<2 {
        do throws(NetworkingError) {
          if step == 0, !isSecure { try await stream.startTLS() } else { try await stream.write(request(path)) }
          Issue.record("it was trusted")
        } catch {
          if case .trust(let refusal) = error.reason { refusals.append(refusal) } else { Issue.record("\(error)") }
        }
      }
      #expect(refusals.count == 2 && refusals.allSatisfy { $0.host == "localhost" })
      #expect(try !server.log().contains(path))
    }
  }

  @Test func `the trust evaluator of a TLS stream receives the verified certificate chain`() async throws {
    let server = try TrustServer.shared()
    let seen = CountingEvaluator()
    for isSecure in [true, false] {
      _ = try await open(try server.session(seen), server.port(.extra), isSecure: isSecure).write(request("/seen"))
    }
    // Certificates sent beside the chain do not belong to it.
    #expect(seen.chains.map { $0.map(\.subject) } == Array(repeating: ["CN=server", "CN=intermediate", "CN=root"], count: 2))
    #expect(seen.verified == [true, true])
  }

  /// Every host needs an evaluator, and a pin does not replace a valid certificate.
  @Test(arguments: [true, false])
  func `a TLS stream is refused if the certificate is invalid, or if no trust evaluator is set for the host`(
    _ isSecure: Bool
  )
    async throws
  {
    let server = try TrustServer.shared()
    var configuration = SessionConfiguration.ephemeral
    configuration.settings.tls.authorities = server.file("root.pem")
    configuration.settings.serverTrust = try ServerTrustManager(["other.test": server.pins("server")])
    for (session, kind) in [
      (Session(configuration), TrustServer.Kind.server), (try server.session(server.pins("expired")), .expired),
      (try server.session(server.pins("wronghost")), .wronghost), (try server.session(server.pins("selfsigned")), .selfsigned),
      (try server.session(server.pins("unknown")), .unknown),
    ] {
      do {
        let stream = try await open(session, server.port(kind), isSecure: isSecure)
        try await stream.write(request("/never"))
        Issue.record("\(kind) was trusted")
      } catch let error as NetworkingError {
        #expect(error.reason.kind == .tls, "\(kind): \(error)")
      }
    }
  }
}

import GarlandNetworking
import TestSupport
import Testing
import TransferTestSupport

/// Tests for which hosts a certificate is valid, and chains with a missing certificate.
@Suite(.timeLimit(.minutes(15))) struct CertificateNamesTests {
  let server: TrustServer

  init() throws { server = try TrustServer.shared() }

  /// Returns how a server is refused whose URL has another host, for sessions without an evaluator and with each kind of evaluator.
  private func failures(_ kind: TrustServer.Kind, for host: String, validatesHost: Bool = true) async throws -> [NetworkingError.TLS?] {
    let evaluators: [(any ServerTrustEvaluating)?] = [
      validatesHost ? nil : DefaultTrustEvaluator(validatesHost: false), DefaultTrustEvaluator(validatesHost: validatesHost),
      RevocationTrustEvaluator(requiresStaple: false, validatesHost: validatesHost),
      try PublicKeysTrustEvaluator([server.pin(kind.key)], validatesHost: validatesHost),
    ]
    var failures: [NetworkingError.TLS?] = []
    for evaluator in evaluators {
      var configuration = SessionConfiguration.ephemeral
      configuration.settings.tls.authorities = server.file("root.pem")
      if let evaluator { configuration.settings.serverTrust = try ServerTrustManager(["*": evaluator]) }
      let url = server.url(kind).replacing("localhost", with: host)
      failures.append(await Session(configuration).failure(url) { $0.settings.connectTo = [ConnectOverride(toHost: "localhost")] })
    }
    return failures
  }

  @Test(arguments: ["a.wild.example", "B.wild.example", "one.example", "two.example"])
  func `a certificate is valid for each of its names, where a wildcard matches exactly one label of the host`(_ host: String) async throws {
    #expect(try await failures(.names, for: host) == [nil, nil, nil, nil])
  }

  @Test(arguments: ["wild.example", "a.b.wild.example", "three.example"])
  func `a certificate is refused for a host if no name in the certificate matches the host`(_ host: String) async throws {
    #expect(try await failures(.names, for: host).allSatisfy { $0 == .wrongHost })
    #expect(try await failures(.names, for: host, validatesHost: false) == [nil, nil, nil, nil])
  }

  @Test func `a URI among a certificate's alternative names does not make the certificate valid for the URI's host`() async throws {
    #expect(try await failures(.uri, for: "uri.example").allSatisfy { $0 == .wrongHost })
  }

  @Test func `a server that omits its intermediate certificate is untrusted unless the session trusts this certificate`() async throws {
    for validatesHost in [true, false] {
      #expect(try await failures(.incomplete, for: "localhost", validatesHost: validatesHost).allSatisfy { $0 == .untrusted })
    }
    #expect(try await server.session(trusting: "intermediate.pem").failure(server.url(.incomplete)) == nil)
    #expect(try await server.session(.disabled).failure(server.url(.incomplete)) == nil)
  }
}

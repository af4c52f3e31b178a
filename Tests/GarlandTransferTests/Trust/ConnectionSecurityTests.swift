import GarlandTransfer
import TestSupport
import Testing

/// Tests the reported properties of TLS connections.
@Suite(.timeLimit(.minutes(15))) struct ConnectionSecurityTests {
  @Test func `the TLS version, cipher and certificate are reported for new and for reused connections`() async throws {
    let server = try NginxServer.shared()
    let engine = Engine()
    var request = TransferRequest(url: server.secureURL + "/json")
    request.settings.tls.authorities = server.certificates.authority
    request.settings.recordsSecurity = true
    for isReused in [false, true] {
      let transaction = try #require(try await engine.response(for: request).metrics.transactions.last)
      #expect(transaction.isReused == isReused)
      let security = try #require(transaction.security)
      #expect(security.version == "1.2" && security.cipherSuite.hasPrefix("ECDHE-"))
      let certificate = try #require(security.certificate)
      #expect(certificate.subject == "CN=server" && certificate.issuer == "CN=Garland test ca")
      #expect(certificate.alternativeNames == ["localhost", "other.localhost", "127.0.0.1"])
      #expect(certificate.notAfter - certificate.notBefore == 20 * 86_400)
    }
    // A session resumed on another connection has no chain, but still a certificate.
    request.settings.usesFreshConnection = true
    #expect(try await engine.response(for: request).metrics.transactions.last?.security?.certificate?.subject == "CN=server")
    request.settings.recordsSecurity = false
    #expect(try await engine.response(for: request).metrics.transactions.last?.security == nil)
  }

  @Test func `TLS details are reported for a connection with TLS even if its certificate is not verified`() async throws {
    let server = try NginxServer.shared()
    let engine = Engine()
    var request = TransferRequest(url: server.url + "/json")
    request.settings.recordsSecurity = true
    #expect(try await engine.response(for: request).metrics.transactions.last?.security == nil)
    var unverified = TransferRequest(url: server.expiredURL + "/json")
    unverified.settings.recordsSecurity = true
    unverified.settings.tls.verifies = false
    let security = try #require(try await engine.response(for: unverified).metrics.transactions.last?.security)
    #expect(security.version == "1.2" && security.certificate?.subject == "CN=expired")
  }
}

import GarlandText
import GarlandTransfer
import TestSupport
import Testing
import TransferTestSupport

@Suite(.timeLimit(.minutes(15))) struct CertificateTests {
  let server: TrustServer

  init() throws { server = try TrustServer.shared() }

  @Test func `a certificate gives its subject, issuer and validity period`() throws {
    let certificate = try server.certificate("server")
    #expect(certificate.subject == "CN=server")
    #expect(certificate.issuer == "CN=intermediate")
    #expect(certificate.description == "CN=server")
    let now = SessionClock().secondsSince1970()
    #expect((now - 3600...now + 60).contains(certificate.notBefore))
    #expect(certificate.notAfter - certificate.notBefore == 20 * 24 * 3600)
  }

  /// The expected values come from the openssl command.
  @Test func `the pin, fingerprint and PEM text of a certificate match those of OpenSSL`() throws {
    let certificate = try server.certificate("server")
    func openssl(_ script: String) throws -> String {
      let result = try ChildProcess.runBlocking("/bin/sh", ["-c", script, "sh", server.file("server.pem")])
      return String(result.output.split(separator: "\n").joined())
    }
    let pin = try openssl("openssl x509 -in $1 -noout -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64")
    #expect(certificate.publicKeyPin.description == "sha256/" + pin)
    let fingerprint = try openssl("openssl x509 -in $1 -noout -fingerprint -sha256")
    #expect(
      fingerprint.hasSuffix(certificate.fingerprint.uppercased().enumerated().map { $0 % 2 == 0 && $0 > 0 ? ":\($1)" : "\($1)" }.joined()))
    let text = try openssl("openssl x509 -in $1")
    #expect(String(certificate.pem.split(separator: "\n").joined()) == text)
  }

  @Test func `several certificates are read from one PEM text, and a single certificate from DER`() throws {
    #expect(try Certificate.all(inFile: server.file("server.chain")).map(\.subject) == ["CN=server", "CN=intermediate"])
    // Text between certificates is ignored.
    let text =
      Array("# the first\n".utf8) + (try server.bytes("root.pem")) + Array("\n\nthe other:\n".utf8) + (try server.bytes("client-both.pem"))
    let certificates = try Certificate.all(in: text)
    #expect(certificates.map(\.subject) == ["CN=root", "CN=client"])
    #expect(try Certificate.all(in: certificates[0].der) == [certificates[0]])
    #expect(try Certificate.all(in: Array(certificates.map(\.pem).joined().utf8)) == certificates)
  }

  @Test func `the error for an invalid certificate contains the reason`() throws {
    func error(_ body: () throws -> [Certificate]) -> TrustConfigurationError? {
      #expect(throws: TrustConfigurationError.self) { try body() }
    }
    #expect(error { try Certificate.all(in: []) } == .certificate(detail: "the text contains no certificate"))
    #expect(
      error { try Certificate.all(inFile: server.file("client.key")) }?.description.contains("client.key: the text contains no certificate")
        == true)
    #expect(error { try Certificate.all(inFile: "/no/such.pem") }?.description == "could not open /no/such.pem: No such file or directory")
    var text = String(decoding: try server.bytes("server.chain"), as: UTF8.self)
    let end = try #require(text.range(of: "-----END CERTIFICATE-----", options: .backwards)?.lowerBound)
    text.removeSubrange(text.index(end, offsetBy: -30)..<end)
    #expect(error { try Certificate.all(in: Array(text.utf8)) } == .certificate(detail: "certificate 2 in the text is broken"))
    let der = try server.certificate("root").der
    #expect(error { try Certificate.all(in: der + [0]) } != nil)
    for length in stride(from: 1, to: der.count, by: 5) { #expect(error { try Certificate.all(in: Array(der[..<length])) } != nil) }
  }

  /// Random bytes must be parsed or refused.
  @Test func `random bytes never crash the certificate parser`() throws {
    let der = try server.certificate("server").der
    var random = SeededRandom(seed: 0x7E57_CE57)
    for _ in 0..<3000 {
      var changed = der
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        changed[Int.random(in: changed.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      guard let certificate = try? Certificate(der: changed) else { continue }
      _ = (certificate.subject, certificate.issuer, certificate.notBefore, certificate.notAfter, certificate.fingerprint)
    }
  }

  @Test func `a valid public key pin is parsed, and an invalid one is refused`() throws {
    let digest = [UInt8](repeating: 0xFF, count: 32)
    let text = Base64.encode(digest)
    #expect(text.first == "/")
    let pin = try PublicKeyPin("sha256/" + text)
    #expect(pin.sha256 == digest)
    #expect(pin.description == "sha256/" + text)
    // The form of the pin in curl.
    #expect(try PublicKeyPin("sha256//" + text) == pin)
    #expect(try PublicKeyPin(sha256: digest) == pin)
    let wrong = [
      "", "sha256/", "sha1/" + text, text, "sha256/" + String(text.dropLast()), "sha256/" + Base64.encode(digest.dropLast()),
      "SHA256/" + text, "sha256/ " + text, "sha256///" + text, "sha256/AAAA",
    ]
    for text in wrong { #expect(throws: TrustConfigurationError.self, "\(text)") { try PublicKeyPin(text) } }
    #expect(throws: TrustConfigurationError.pin("sha256/AAAA", detail: "a SHA-256 digest has 32 bytes, not 3")) {
      try PublicKeyPin("sha256/AAAA")
    }
    #expect(throws: TrustConfigurationError.empty("pinned keys")) { try PublicKeysTrustEvaluator([]) }
    #expect(throws: TrustConfigurationError.empty("pinned certificates")) { try PinnedCertificatesTrustEvaluator([]) }
    #expect(throws: TrustConfigurationError.empty("authorities")) { try AuthorityTrustEvaluator([]) }
  }
}

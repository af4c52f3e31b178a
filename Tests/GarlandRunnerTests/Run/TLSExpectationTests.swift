import GarlandWorkflow
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of `expect.tls`, and of errors about certificates.
@Suite(.timeLimit(.minutes(15))) struct TLSExpectationTests {
  @Test func `an expectation about TLS checks the certificate and the TLS version`() async throws {
    let server = try NginxServer.shared()
    let folder = try TemporaryFolder()
    try folder.write(
      "ca.pem", String(decoding: try Array(SystemFiles().read(server.certificates.authority, limit: 1 << 20)), as: UTF8.self))
    let run = try await TestRun.carryOut(
      """
      garland: 1
      defaults: { base_url: "\(server.secureURL)", tls: { ca: ca.pem } }
      steps:
        good:
          get: /json
          expect:
            tls:
              days_left: { gte: 18, lte: 20 }
              expires_in: { gt: 18d, lt: 500h }
              subject: CN=server
              issuer: { contains: Garland test ca }
              san: [localhost, other.localhost, 127.0.0.1]
              fingerprint: { length: 64 }
              version: 1.2
              cipher: { starts_with: ECDHE- }
        again: { get: /json, after: good, expect: { tls: { san: { contains: localhost, each: { type: string } } } } }
        lower: { get: /json, expect: { tls: { version: { in: [1.2, 1.3] } } } }
        old: { get: "\(server.expiredURL)/json", tls: { verify: false }, expect: { tls: { days_left: { lt: 0 } } } }
        expired: { get: "\(server.expiredURL)/json", expect: { error: { kind: certificate, message: { contains: expired } } } }
        wrong_host: { get: "\(server.wrongHostURL)/json", expect: { error: certificate } }
        self_signed: { get: "\(server.selfSignedURL)/json", expect: { error: [certificate] } }
        handshake: { get: "\(server.url.replacing("http:", with: "https:"))/json", expect: { error: tls } }
        plain: { get: "\(server.url)/json", expect: { tls: { version: 1.3 } } }
        bad:
          get: /json
          expect:
            tls: { days_left: { gte: 365 }, expires_in: { gt: 365d }, subject: CN=shop, san: { contains: shop.example.com }, version: 1.1, issuer: { contains: Let's Encrypt } }
        not_expired: { get: /json, expect: { error: certificate } }
      """, folder: folder)
    let good = ["good", "again", "lower", "old", "expired", "wrong_host", "self_signed", "handshake"]
    #expect(
      run.outcomes == good.map { "\($0) passed" } + ["plain", "bad", "not_expired"].map { "\($0) failed" },
      "\(run.results.flatMap(\.failures).map { "\($0.subject) \($0.message)" })")
    let text = try ["plain", "bad"].map { "--- \($0)\n" + CheckRun.text(try run.result($0).failures) }.joined()
    expectGolden(Self.withoutTimes(text), "tls-failures.txt")
  }

  /// Returns the text without the remaining days, which change at midnight.
  private static func withoutTimes(_ text: String) -> String {
    text.replacing(/is [0-9.]+ days,/, with: "is TIME,").replacing(/(is|actual  ) (19|20)\b/, with: { "\($0.output.1) DAYS" })
      .replacing(/actual   [0-9.]+ days/, with: "actual   TIME").replacing(/127\.0\.0\.1:\d+/, with: "127.0.0.1:PORT")
      .replacing(/localhost:\d+/, with: "localhost:PORT").replacing(/test\.yaml:\d+:\d+/, with: "test.yaml")
  }
}

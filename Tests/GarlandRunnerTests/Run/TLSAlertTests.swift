import FoundationEssentials
import GarlandResults
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of a server that requires a client certificate, and of the messages for a missing or rejected certificate.
@Suite("TLS alerts", .timeLimit(.minutes(15)))
struct TLSAlertTests {
  @Test func `a TLS alert from the server is explained in the failure`() async throws {
    let folder = try TemporaryFolder()
    let certificates = try TestCertificates(in: folder.path)
    let stranger = try await ChildProcess.run(
      "/usr/bin/openssl",
      ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=client"]
        + ["-keyout", "\(folder.path)/stranger.key", "-out", "\(folder.path)/stranger.pem"])
    try #require(stranger.status == 0, "\(stranger.error)")
    let locked = try await ChildProcess.run(
      "/usr/bin/openssl",
      ["pkey", "-in", "\(folder.path)/client.key", "-aes128", "-passout", "pass:secret", "-out", "\(folder.path)/locked.key"])
    try #require(locked.status == 0, "\(locked.error)")
    var text = ""
    for version in ["tls1_2", "tls1_3"] {
      let port = LoopbackPort.free()
      let log = "\(folder.path)/\(version).log"
      let server = try ServerProcess(
        ["/usr/bin/openssl", "s_server", "-accept", "\(port)", "-\(version)", "-www", "-Verify", "1", "-verify_return_error"]
          + ["-cert", "\(folder.path)/server.pem", "-key", "\(folder.path)/server.key", "-CAfile", certificates.authority], port: port,
        log: log, leftover: log)
      for (name, tls) in [
        ("nothing", ""), ("a stranger's certificate", ", cert: stranger.pem, key: stranger.key"),
        ("the right certificate", ", cert: client.pem, key: client.key"),
        // The passphrase is not requested from the user, since the terminal does not belong to the engine.
        ("a key with a passphrase", ", cert: client.pem, key: locked.key"),
      ] {
        let run = try await TestRun.carryOut(
          """
          garland: 1
          defaults: { base_url: "https://127.0.0.1:\(port)", timeout: 60s, tls: { ca: ca.pem\(tls) } }
          steps:
            page: { get: / }
          """, folder: folder)
        let result = try run.result("page")
        let failure = result.failures.first
        text += "\(version), \(name): \(result.outcome.rawValue), exit status \(run.summary.exitStatus)\n"
        if let failure { text += "  \(failure.message)\n  help: \(failure.help ?? "none")\n" }
      }
      withExtendedLifetime(server) {}
    }
    expectGolden(text.replacing(folder.path, with: "FOLDER"), "tls-alerts.txt")
  }

  /// A server whose certificate is not trusted on this machine.
  @Test func `the error for an untrusted certificate explains how the user can trust the certificate`() async throws {
    let folder = try TemporaryFolder()
    let certificates = try TestCertificates(in: folder.path)
    let made = try await ChildProcess.run(
      "/usr/bin/openssl",
      ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=127.0.0.1"]
        + ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "\(folder.path)/own.key", "-out", "\(folder.path)/own.pem"])
    try #require(made.status == 0, "\(made.error)")
    var text = ""
    for (name, files, cases) in [
      ("an authority of one's own", "server", ["{}", "{ ca: own.pem }", "{ ca: ca.pem }"]),
      ("a certificate that signs itself", "own", ["{}", "{ ca: ca.pem }", "{ ca: own.pem }"]),
    ] {
      let port = LoopbackPort.free()
      let log = "\(folder.path)/\(files).log"
      let server = try ServerProcess(
        ["/usr/bin/openssl", "s_server", "-accept", "\(port)", "-www"]
          + ["-cert", "\(folder.path)/\(files).pem", "-key", "\(folder.path)/\(files).key"], port: port, log: log, leftover: log)
      for tls in cases {
        let run = try await TestRun.carryOut(
          """
          garland: 1
          defaults: { base_url: "https://127.0.0.1:\(port)", timeout: 60s, tls: \(tls) }
          steps:
            page: { get: / }
          """, folder: folder)
        let result = try run.result("page")
        text += "\(name), tls: \(tls): \(result.outcome.rawValue)\n"
        if let failure = result.failures.first { text += "  \(failure.message)\n  help: \(failure.help ?? "none")\n" }
      }
      withExtendedLifetime((server, certificates)) {}
    }
    expectGolden(text.replacing(folder.path, with: "FOLDER"), "tls-trust.txt")
  }
}

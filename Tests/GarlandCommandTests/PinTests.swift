import TestSupport
import Testing

/// Tests of `tls.pins` with nginx.
@Suite(.timeLimit(.minutes(15))) struct PinTests {
  let server: NginxServer
  let folder: TemporaryFolder

  init() throws {
    server = try NginxServer.shared()
    folder = try TemporaryFolder()
  }

  private func pin(_ certificate: String) throws -> String {
    let script = "openssl x509 -in $1 -noout -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64"
    let result = try ChildProcess.runBlocking("/bin/sh", ["-c", script, "sh", "\(server.certificates.folder)/\(certificate).pem"])
    return "sha256/" + result.output.split(separator: "\n").joined()
  }

  private func run(_ steps: String, _ arguments: String...) async throws -> ChildProcess.Result {
    try folder.write(
      "w.yaml",
      """
      garland: 1
      name: Pins
      vars: { pin: "" }
      defaults: { base_url: "\(server.secureURL)", tls: { ca: \(server.certificates.authority) } }
      steps:
      \(steps)

      """)
    return try await Garland.run(["run", "w.yaml", "--allow-path", server.certificates.folder] + arguments, in: folder.path)
  }

  @Test func `a server is accepted if its key or the key of its certificate authority is pinned`() async throws {
    let (own, authority, other) = (try pin("server"), try pin("ca"), try pin("other-ca"))
    let result = try await run(
      """
        own: { get: /json, tls: { pins: [\(other), \(own)] } }
        authority: { get: /json, tls: { pins: \(authority) } }
        given: { get: /json, tls: { pins: ["${vars.pin}"] } }
        refused: { get: /json, tls: { pins: [\(other)] }, expect: { error: certificate } }
        elsewhere: { get: /redirect/302?to=\(server.wrongHostURL)/json, tls: { pins: [\(own)] }, expect: { error: tls } }
      """, "--var", "pin=\(own.replacing("sha256/", with: "sha256//"))")
    #expect(result.status == 0, "\(result.output)\(result.error)")
    #expect(result.output.contains("5 passed"))
  }

  @Test func `if a server has none of the pinned keys, the error names the expected key and the keys of the server`() async throws {
    let other = try pin("other-ca")
    let result = try await run("  pinned: { get: /json, tls: { pins: [\(other)] } }", "--verbose")
    #expect(result.status == 3)
    let names = [(other, "EXPECTED"), (try pin("server"), "SERVER"), (try pin("ca"), "AUTHORITY")]
    var text = result.output + result.error
    for (pin, name) in names { text = text.replacing(pin, with: name) }
    #expect(text.contains("the certificate chain of localhost contains none of the pinned keys"), "\(text)")
    #expect(text.contains("EXPECTED") && text.contains("SERVER (CN=server)") && text.contains("AUTHORITY (CN=Garland test ca)"), "\(text)")
    #expect(text.contains("pin the new key"))
    let short = try await run("  pinned: { get: /json, tls: { pins: [\(other)] } }")
    #expect(short.output.contains("none of the pinned keys"))
  }

  @Test func `pinned keys are refused if the verification of certificates is turned off`() async throws {
    let own = try pin("server")
    let check = try await run("  a: { get: /json, tls: { pins: [\(own)], verify: false } }")
    #expect(check.status == 2)
    #expect((check.output + check.error).contains("`pins` can't be used with `verify: false`"))
    let later = try await run("  a: { get: /json, tls: { pins: [\(own)], verify: \"${vars.pin}\" } }", "--var", "pin=false")
    #expect(later.status == 1, "\(later.output)")
    #expect(later.output.contains("can't be checked, because"))
    let text = try await run("  a: { get: /json, tls: { pins: [\"${vars.pin}\"] } }", "--var", "pin=sha256/abc")
    #expect(text.status == 1, "\(text.output)")
    #expect(text.output.contains("a pin: `sha256/`"), "\(text.output)")
  }
}

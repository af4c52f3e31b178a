import FoundationEssentials
import GarlandJSON
import TestSupport
import Testing

/// Tests of `negotiate` and `ntlm` with servers that check the credentials: Apache with mod_auth_gssapi and a Kerberos realm, and Squid.
@Suite(.timeLimit(.minutes(15))) struct WindowsDomainTests {
  static let document = """
    garland: 1
    vars: { base: "" }
    defaults: { base_url: "${vars.base}", timeout: 60s }
    auth:
      corp: { negotiate: true }
    steps:
      first: { get: /negotiate/secret.txt, auth: corp, expect: { body: { contains: secret } } }
      posted: { post: /negotiate/secret.txt, auth: corp, form: { a: b }, after: first, expect: { status: 200 } }
      many: { get: /negotiate/secret.txt, auth: corp, for_each: [1, 2, 3, 4, 5, 6], after: posted, expect: { body: { contains: secret } } }
      open: { get: /open.txt }
      without: { get: /negotiate/secret.txt, after: [posted, many], expect: { status: 401 } }

    """

  private static func run(
    _ document: String, _ base: String, _ environment: [String: String], _ extra: [String] = []
  ) async throws -> ChildProcess.Result {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", document)
    return try await Garland.run(
      ["run", "w.yaml", "--var", "base=\(base)"] + extra, environment: environment.mapValues { $0 as String? }, in: folder.path)
  }

  @Test func `with a Kerberos ticket, the steps of a run are authenticated`() async throws {
    let server = try KerberosServer.shared()
    let result = try await Self.run(Self.document, server.url, server.environment, ["--verbose"])
    #expect(result.status == 0, "\(result.output)\(result.error)")
    #expect(!result.output.contains("failed"))
    #expect(!result.output.contains("Negotiate YII"), "a ticket is a secret")
  }

  @Test func `if a step with Kerberos authentication fails because there is no ticket, the help suggests the command 'kinit'`() async throws
  {
    let server = try KerberosServer.shared()
    let result = try await Self.run(Self.document, server.url, server.environmentWithoutTicket)
    #expect(result.status == 1)
    #expect(result.output.contains("status is 401, expected 2xx"))
    #expect(result.output.contains("= help: no Kerberos ticket was sent: No credentials were supplied"), "\(result.output)")
    #expect(result.output.contains("`kinit` gets one"))
  }

  /// The realm has no key for this server, as with a wrong host name, an alias or another realm.
  @Test func `if a server is not in the Kerberos realm, the failure of the step states why the ticket is missing`() async throws {
    let server = try KerberosServer.shared()
    let base = server.url.replacing("localhost", with: "127.0.0.1")
    let result = try await Self.run(Self.document, base, server.environment)
    #expect(result.status == 1)
    let words = "no Kerberos ticket was sent: Server HTTP/127.0.0.1@GARLAND.TEST not found in Kerberos database."
    #expect(result.output.contains(words), "\(result.output)")
  }

  /// All three messages of NTLM are sent, and Samba verifies the last one.
  @Test func `steps with NTLM pass with the right password and get 401 with a wrong one`() async throws {
    let server = try SquidServer.shared()
    let document = """
      garland: 1
      vars: { base: "" }
      defaults: { base_url: "${vars.base}", timeout: 60s }
      auth:
        windows: { ntlm: 'HOME\\alice:pass' }
        mistyped: { ntlm: 'HOME\\alice:word' }
      steps:
        look: { get: "/anything?n=1", auth: windows, expect: { json: { $.args.n: "1" } } }
        send: { post: "/anything/other", auth: windows, json: { a: 1 }, expect: { json: { $.json.a: 1 } } }
        wrong: { get: "/anything/second", auth: mistyped, expect: { status: 401 } }
        without: { get: "/anything/third", expect: { status: 401 } }

      """
    let result = try await Self.run(document, server.guardedURL, [:])
    #expect(result.status == 0, "\(result.output)\(result.error)")
    // A wrong password without an expected failure.
    let wrong = try await Self.run(
      document.replacing("auth: mistyped, expect: { status: 401 }", with: "auth: mistyped"), server.guardedURL, [:])
    #expect(wrong.status == 1)
    #expect(wrong.output.contains("the `auth` entry `mistyped` sent the password of `HOME\\alice`"), "\(wrong.output)")
    #expect(wrong.output.contains("the server asks for NTLM"), "\(wrong.output)")
  }
}

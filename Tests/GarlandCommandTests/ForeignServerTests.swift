import GarlandJSON
import GarlandSandbox
import TestSupport
import Testing

/// Tests of one workflow with three servers: the sandbox, httpbin with gunicorn, and nginx over TLS with HTTP/2.
@Suite(.timeLimit(.minutes(15))) struct ForeignServerTests {
  /// A workflow with features that all three servers support. They differ in paths and responses, which are variables.
  static let workflow = """
    garland: 1
    name: Three servers
    vars: { base: "", ca: null, echo: /anything, found: /get, missing: /status/404, redirect: "", version: "1.1", verifies: true }
    secrets: [TOKEN]
    defaults:
      base_url: ${vars.base}
      timeout: 10s
      tls: { verify: "${vars.verifies}" }
    steps:
      found:
        get: ${vars.found}
        expect: { status: 200, type: application/json, version: "${vars.version}" }
      missing:
        get: ${vars.missing}
        expect: { status: 404 }
      credentials:
        get: ${vars.echo}?case=credentials
        bearer: ${secrets.TOKEN}
        expect: { body: { contains: "Bearer ${secrets.TOKEN}" } }
      encoded:
        get: ${vars.echo}
        query: { q: "a b&c", list: [1, 2] }
        expect: { body: { contains: "q=a%20b%26c" } }
      moved:
        get: ${vars.redirect}
        expect: { status: 200, redirects: 1 }
      after_all:
        head: ${vars.found}?seen=${found.status}
        after: [missing, credentials, encoded, moved]

    """

  static func run(_ variables: [String: String], extra: [String] = []) async throws -> ChildProcess.Result {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", workflow)
    let values = variables.sorted { $0.key < $1.key }.flatMap { ["--var", "\($0.key)=\($0.value)"] }
    return try await Garland.run(["run", "w.yaml"] + values + extra, environment: ["TOKEN": "canary-55120"], in: folder.path)
  }

  static func check(_ result: ChildProcess.Result) {
    #expect(result.status == 0, "\(result.output)\(result.error)")
    #expect(result.output.contains("6 passed"))
    #expect(!result.output.contains("canary") && !result.error.contains("canary"))
  }

  @Test func `a workflow that also runs on httpbin and nginx passes on Garland's sandbox`() async throws {
    let sandbox = try await Sandbox.start()
    Self.check(try await Self.run(["base": sandbox.url, "redirect": "/redirect/1"]))
    await sandbox.stop()
  }

  @Test func `a workflow for several kinds of servers passes on httpbin with gunicorn`() async throws {
    let url = try HTTPBinServer.shared().url
    // httpbin shows URLs partly decoded; `url` contains the URL that it received.
    Self.check(try await Self.run(["base": url, "redirect": "/redirect/1"]))
  }

  @Test func `a workflow for several kinds of servers passes on nginx with TLS and HTTP version 2`() async throws {
    let server = try NginxServer.shared()
    let folder = try TemporaryFolder()
    let trusting = Self.workflow.replacing("tls: { verify: \"${vars.verifies}\" }", with: "tls: { ca: \(server.certificates.authority) }")
    try folder.write("w.yaml", trusting)
    let variables = [
      "base=\(server.secureURL)", "echo=/echo", "found=/json", "missing=/status/404", "redirect=/redirect/302?to=/json", "version=2",
    ]
    let arguments =
      ["run", "w.yaml", "--allow-path", server.certificates.folder, "--report", "json=report.json"] + variables.flatMap { ["--var", $0] }
    let result = try await Garland.run(arguments, environment: ["TOKEN": "canary-55120"], in: folder.path)
    Self.check(result)
    let report = try JSONValue(parsing: try folder.read("report.json"))
    let exchanges = (report["results"]?.arrayValue ?? []).flatMap { $0["exchanges"]?.arrayValue ?? [] }
    #expect(exchanges.count == 6)
    // A client that does not know the certificate authority rejects the server before any request.
    let refused = try await Self.run(["base": server.secureURL, "echo": "/echo", "found": "/json", "redirect": "/json"])
    #expect(refused.status == 3)
    #expect(refused.output.contains("certificate"), "\(refused.output)")
  }
}

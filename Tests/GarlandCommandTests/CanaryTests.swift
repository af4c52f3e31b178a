import FoundationEssentials
import GarlandJSON
import GarlandSandbox
import TestSupport
import Testing

/// Tests that send one secret through every channel and every transformation, and search all output for it.
@Suite(.timeLimit(.minutes(15))) struct CanaryTests {
  static let canary = #"cänary/7h&"s=3 cret+\x"#

  static let workflow = #"""
    garland: 1
    name: Canary
    description: A secret that goes everywhere
    vars:
      copy: ${secrets.CANARY}
      longer: before ${secrets.CANARY} behind
      encoded: ${secrets.CANARY | base64}
    secrets: [CANARY]
    defaults:
      base_url: ${env.GARLAND_SANDBOX}
      timeout: 5s
    steps:
      header: { get: /anything/header, headers: { X-Key: "${secrets.CANARY | urlencode}", X-Copy: "${vars.encoded}" } }
      bearer: { get: /anything/bearer, bearer: "${secrets.CANARY | base64url}" }
      basic: { get: /anything/basic, basic: "user:${secrets.CANARY}" }
      query: { get: /anything/query, query: { key: "${vars.copy}" } }
      path: { get: "/anything/path/${vars.longer}/end" }
      form: { post: /anything/form, form: { key: "${secrets.CANARY}" } }
      json: { post: /anything/json, json: { key: "${secrets.CANARY}", list: ["${vars.longer}"] } }
      text: { post: /anything/text, body: "${vars.longer}" }
      multipart: { post: /anything/multipart, multipart: { key: "${secrets.CANARY}", doc: { json: { key: "${vars.copy}" } } } }
      cookie: { get: /anything/cookie, cookies: { key: "${secrets.CANARY | base64}" } }
      derived:
        post: /anything/derived
        json:
          b64: ${secrets.CANARY | base64}
          inside: x${secrets.CANARY}
          url: ${secrets.CANARY | urlencode}
          upper: ${secrets.CANARY | upper}
          trimmed: ${secrets.CANARY | trim}
          hashed: ${secrets.CANARY | sha256}
          signed: ${'message' | hmac_sha256(secrets.CANARY)}
        extract:
          again: { json: $.json.b64 }
      reused: { get: "/anything/reused/${derived.again}", expect: { status: 500 } }
      wrong_status: { post: /anything/wrong, json: { key: "${secrets.CANARY}" }, expect: { status: 418, json: { $.json.key: "not ${secrets.CANARY}" } } }
      wrong_body: { post: /anything/wrong, body: "${vars.longer}", expect: { body: "something else" } }
      wrong_that: { post: /anything/wrong, json: { key: "${secrets.CANARY}" }, expect: { that: ["${response.json.json.key == 'x'}"] } }
      undefined: { get: "/anything/${query.json.args.key.nothing}" }
      unreachable: { get: "http://127.0.0.1:1/${secrets.CANARY}" }
      broken: { get: "/fault/truncate?key=${secrets.CANARY}" }
      download: { get: "/anything/download?key=${secrets.CANARY}", download: out.json }
      redirected: { get: "/redirect-to", query: { url: "/anything/${secrets.CANARY}" } }

    """#

  /// The forms in which the secret could appear.
  static let needles = SecretSearch.forms(of: canary) + [("middle", Array("7h&\"s=3".utf8))]

  static func expectNone(in bytes: [UInt8], _ place: String) {
    for needle in needles {
      #expect(!SecretSearch.contains(bytes, needle.bytes), "\(place) holds the secret: \(needle.name)")
    }
  }

  @Test func `the workflow for the tests of secret masking sends its requests to the sandbox`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.workflow)
    let result = try await Garland.run(
      ["run", "w.yaml", "--quiet", "--report", "json=report.json"], environment: ["GARLAND_SANDBOX": sandbox.url, "CANARY": Self.canary],
      in: folder.path)
    #expect(result.status == 1, "\(result.error)")
    let report = String(decoding: try folder.read("report.json"), as: UTF8.self)
    #expect(report.contains("/anything/derived"), "\(report.prefix(2000))")
  }

  @Test func `the function with which the tests search for leaked secrets finds a secret in each encoding`() {
    for needle in Self.needles {
      #expect(SecretSearch.contains(Array("before ".utf8) + needle.bytes + [0x20], needle.bytes), "\(needle.name)")
    }
    #expect(
      SecretSearch.contains(
        Array(Data(Array("ab\(Self.canary)".utf8)).base64EncodedString().utf8), Self.needles.first { $0.name == "base64 at 2" }?.bytes ?? []
      ))
  }

  private static let commands: [[String]] = [
    ["run", "w.yaml"], ["run", "w.yaml", "--verbose"], ["run", "w.yaml", "--show", "all"], ["run", "w.yaml", "--quiet"],
    ["run", "w.yaml", "--report", "junit=-"], ["run", "w.yaml", "--report", "json=-"], ["run", "w.yaml", "json"],
    ["run", "w.yaml", "--color", "always", "--verbose"], ["run", "w.yaml", "nothing-${secrets.CANARY}"],
    ["run", "w.yaml"] + EncodingCanaryTests.reports,
    ["check", "w.yaml"], ["list", "w.yaml"], ["list", "w.yaml", "--format", "json"],
    ["plan", "w.yaml"],
    ["plan", "w.yaml", "--format", "mermaid"], ["plan", "w.yaml", "--format", "dot"], ["plan", "w.yaml", "--format", "json"],
    ["plan", "w.yaml", "--format", "svg"], ["plan", "w.yaml", "--why", "reused"],
    ["curl", "w.yaml", "header"], ["curl", "w.yaml", "basic"], ["curl", "w.yaml", "query"], ["curl", "w.yaml", "path"],
    ["curl", "w.yaml", "form"], ["curl", "w.yaml", "json"], ["curl", "w.yaml", "text"], ["curl", "w.yaml", "multipart"],
    ["curl", "w.yaml", "cookie"], ["curl", "w.yaml", "derived"], ["curl", "w.yaml", "unreachable"], ["curl", "w.yaml", "redirected"],
  ]

  /// The ways to give the secret to a command.
  enum Source: CaseIterable { case environment, option, file }

  /// The commands, each with a source of the secret. `make test-deep` tries each command with each source, and `make test` only the command
  /// that writes all reports; it tries any other command with one of the sources.
  static let cases = commands.enumerated().flatMap { number, command in
    Source.allCases.enumerated()
      .filter { DeepTests.areRun || command.contains("--report") && command.count > 4 || number % Source.allCases.count == $0.offset }
      .map { (command, $0.element) }
  }

  @Test(arguments: cases) func `no command shows the value of a secret in its output or in its reports`(
    arguments: [String], source: Source
  ) async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    let temporary = try TemporaryFolder()
    try folder.write("w.yaml", Self.workflow)
    var environment: [String: String?] = ["GARLAND_SANDBOX": sandbox.url, "TMPDIR": temporary.path]
    var all = arguments
    switch source {
    case .environment: environment["CANARY"] = Self.canary
    case .option: all += ["--secret", "CANARY=" + Self.canary]
    case .file:
      try temporary.write("secrets.json", JSONValue.object(["CANARY": .string(Self.canary)]).jsonText())
      all += ["--secrets-file", temporary.path + "/secrets.json", "--allow-path", temporary.path]
    }
    let result = try await Garland.run(all, environment: environment, in: folder.path)
    #expect(!result.error.contains("unexpected") && [0, 1, 2].contains(result.status), "\(result.error)")
    Self.expectNone(in: result.outputBytes, "standard output")
    Self.expectNone(in: result.errorBytes, "standard error")
    for name in folder.names where name != "w.yaml" && name != "out.json" {
      Self.expectNone(in: try folder.read(name), name)
      if name.hasSuffix(".html") { Self.expectNone(in: try await Garland.unpacked(folder.path + "/" + name), "data of \(name)") }
    }
    for name in temporary.names where name != "secrets.json" { Self.expectNone(in: try temporary.read(name), name) }
    await sandbox.stop()
  }
}

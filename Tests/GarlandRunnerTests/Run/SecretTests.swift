import GarlandResults
import GarlandSandbox
import GarlandText
import TestSupport
import Testing

@testable import GarlandRunner

@Suite("Secrets")
struct SecretTests {
  static let canary = "c4nary-\"s3cret\"/ü"

  @Test func `no event that a run sends to its reports contains a secret as plain text`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      let run = try await TestRun.carryOut(
        """
        garland: 1
        vars: { derived: "${secrets.CANARY | base64}", prefixed: "x-${secrets.CANARY}" }
        secrets: [CANARY]
        defaults: { base_url: "${env.SANDBOX}", timeout: 10s }
        steps:
          url: { get: "/anything/${secrets.CANARY}?q=${secrets.CANARY}" }
          header: { get: /anything, headers: { X-Key: "${vars.derived}" }, expect: { status: 201 } }
          body: { post: /anything, json: { a: "${vars.prefixed}" }, expect: { json: { $.json.a: nope } } }
          form: { post: /anything, form: { a: "${secrets.CANARY}" }, expect: { status: 500 } }
          basic: { get: /anything, basic: "bob:${secrets.CANARY}", expect: { status: 500 } }
          part: { post: /anything, multipart: { a: "${secrets.CANARY}" }, expect: { status: 500 } }
          taken: { post: /anything, json: { t: tok-from-server-1 }, extract: { t: { json: $.json.t, secret: true } } }
          sent: { get: "/anything/${taken.t}", expect: { status: 500 } }
          unreachable: { get: "http://127.0.0.1:1/${secrets.CANARY}" }
        """, sandbox, folder: folder
      ) { $0.secrets = ["CANARY": Self.canary] }
      #expect(run.results.count == 9)
      var text = ""
      for event in run.observer.all { dump(event, to: &text) }
      // Bodies are stored as bytes, which `dump` prints as numbers.
      for result in run.results {
        for exchange in result.exchanges {
          text += String(decoding: exchange.requestBody?.bytes ?? [], as: UTF8.self)
          text += String(decoding: exchange.responseBody?.bytes ?? [], as: UTF8.self)
        }
      }
      #expect(text.contains("c4nary-"), "the test looks at the right places")
      let redacted = run.redactor.redact(text)
      #expect(!redacted.contains("c4nary"))
      #expect(!redacted.contains("s3cret"))
      #expect(!redacted.contains("tok-from-server-1"))
      #expect(!redacted.contains(Base64.encode(Array(Self.canary.utf8))))
      #expect(try run.result("taken").extracted.map(\.value) == ["\"***\""])
    }
  }

  /// A request contains its host in lower case, and so do the messages about it.
  @Test func `a secret with capitals in the host of a URL is masked in lower case as well`() async throws {
    let run = try await TestRun.carryOut(
      """
      garland: 1
      secrets: [NAME]
      steps:
        a: { get: "http://x-${secrets.NAME}.localhost:1/", timeout: 5s }
      """
    ) { $0.secrets = ["NAME": "CanaryName"] }
    var text = ""
    for event in run.observer.all { dump(event, to: &text) }
    #expect(text.contains("x-canaryname.localhost"), "the test looks at the right places")
    #expect(!run.redactor.redact(text).lowercased().contains("canaryname"))
  }

  /// A request contains an international label of its host as `xn--…`, which mixes the letters of the secret with those beside it.
  @Test(arguments: [
    ("http://x-${secrets.NAME}.localhost:1/", "käseCanary", "xn--x-ksecanary-"),
    ("${secrets.NAME}/", "http://käse.Canary.localhost:1", "xn--kse-qla.canary.localhost"),
  ]) func `a secret with letters outside ASCII in the host of a URL is masked as punycode as well`(
    _ url: String, _ secret: String, _ sent: String
  ) async throws {
    let run = try await TestRun.carryOut(
      """
      garland: 1
      secrets: [NAME]
      steps:
        a: { get: "\(url)", timeout: 5s }
      """
    ) { $0.secrets = ["NAME": secret] }
    var text = ""
    for event in run.observer.all { dump(event, to: &text) }
    #expect(text.contains(sent), "the test looks at the right places")
    #expect(!run.redactor.redact(text).lowercased().contains("canary"))
  }

  @Test func `a missing secret is reported before any request is sent`() async throws {
    try await withSandbox { sandbox in
      let prepared = try TestRun.prepare(
        """
        garland: 1
        vars: { token: "${secrets.FROM_VAR}", optional: "${secrets.NOT_NEEDED}" }
        secrets: [DIRECT]
        defaults: { base_url: "${env.SANDBOX}" }
        steps:
          a: { get: "/anything/${secrets.DIRECT}" }
          b: { get: "/anything/${vars.token}" }
          c: { get: "/anything/${secrets.OTHER ?? 'x'}/${vars.optional ?? 'y'}" }
          d: { get: "/anything/${env.NO_SUCH_VARIABLE}" }
          e: { get: /anything }
        """, sandbox)
      #expect(prepared.run == nil)
      #expect(
        prepared.diagnostics.all.map(\.message) == [
          "the secret `FROM_VAR` is not set", "the secret `DIRECT` is not set", "the environment variable `NO_SUCH_VARIABLE` is not set",
        ])
      #expect(prepared.diagnostics.all.allSatisfy { $0.range?.text.isEmpty == false })
      #expect(sandbox.records.isEmpty)
    }
  }

  @Test func `a secret of three letters causes a warning`() throws {
    let prepared = try TestRun.prepare("garland: 1\nsecrets: [PIN]\nsteps: { a: { get: 'http://127.0.0.1:1/${secrets.PIN}' } }") {
      $0.secrets = ["PIN": "123"]
    }
    #expect(prepared.run != nil)
    #expect(prepared.diagnostics.all.map(\.message) == ["the secret `PIN` has fewer than 4 characters"])
  }

  @Test func `a header with a secret in the document's defaults is sent only to the origin of base_url`() async throws {
    try await withSandbox { home in
      try await withSandbox { abroad in
        let run = try await TestRun.carryOut(
          """
          garland: 1
          secrets: [KEY]
          defaults:
            base_url: ${env.SANDBOX}
            bearer: ${secrets.KEY}
            headers: { X-Key: "${secrets.KEY}", X-Plain: plain }
            cookies: { session: abc }
          steps:
            home: { get: /anything }
            absolute_home: { get: "${env.SANDBOX}/anything" }
            abroad: { get: "\(abroad.url)/anything" }
            asked: { get: "\(abroad.url)/anything", bearer: "${secrets.KEY}" }
            redirected: { get: "/redirect-to?url=\(abroad.url)/anything" }
          """, home
        ) { $0.secrets = ["KEY": "the-key"] }
        #expect(run.summary.exitStatus == 0)
        #expect(
          home.records.allSatisfy { $0.values(of: "Authorization") == ["Bearer the-key"] && $0.values(of: "Cookie") == ["session=abc"] })
        let records = abroad.records
        #expect(records.map { $0.values(of: "X-Plain") } == [["plain"], ["plain"], ["plain"]])
        #expect(records.allSatisfy { $0.values(of: "X-Key").isEmpty && $0.values(of: "Cookie").isEmpty })
        #expect(records.filter { !$0.values(of: "Authorization").isEmpty }.count == 1)
        #expect(run.observer.notices.count == 3)
        #expect(run.observer.notices.contains { $0.hasPrefix("the header `X-Key` of `defaults` is not sent to \(abroad.url)") })
      }
    }
  }
}

import GarlandResults
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of `digest:` with httpbin and Apache.
@Suite(.timeLimit(.minutes(15))) struct DigestTests {
  @Test func `a server accepts digest credentials whether they are set in the step or in the defaults`() async throws {
    let httpbin = try HTTPBinServer.shared().url
    let text = """
      garland: 1
      secrets: [PASSWORD]
      defaults:
        base_url: \(httpbin)
        digest: "user:${secrets.PASSWORD}"
      steps:
        from_defaults: { get: "/digest-auth/auth/user/pass:word/SHA-256", expect: { json: { $.authenticated: true } } }
        again: { get: "/digest-auth/auth/user/pass:word/SHA-256", after: from_defaults, expect: { status: 200 } }
        content: { post: "/digest-auth/auth-int/user/pass:word/MD5", json: { a: 1 }, expect: { status: 405 } }
        own: { get: /digest-auth/auth-int/alice/x/MD5, digest: "alice:x" }
        wrong: { get: /digest-auth/auth/user/other/MD5, expect: { status: 401 } }
        nobody: { get: "/digest-auth/auth/user/pass:word/MD5", digest: null, expect: { status: 401 } }
      """
    let run = try await TestRun.carryOut(text) { $0.environment["PASSWORD"] = "pass:word" }
    #expect(run.results.allSatisfy { $0.outcome == .passed }, "\(run.results.flatMap { $0.failures.map(\.message) })")
    #expect(run.redactor.redact("pass:word") == "***")
  }

  @Test func `if the defaults set 'compress' to gzip, an upload is sent compressed`() async throws {
    let apache = try ApacheServer.shared().url
    let folder = try TemporaryFolder()
    let content = (0..<20_000).map { "a line, number \($0), that repeats itself\n" }.joined()
    try folder.write("text.txt", content)
    let text = """
      garland: 1
      defaults: { base_url: \(apache), compress: gzip }
      steps:
        file: { post: /inflating/post, body: { file: text.txt }, expect: { json: { $.data: { length: \(content.utf8.count) } } } }
        form: { post: /inflating/post, multipart: { f: { file: text.txt } }, expect: { json: { $.files.f: { starts_with: a line } } } }
        plain: { post: /inflating/post, body: x, compress: null, expect: { json: { $.data: x } } }
        secret: { get: /digest/secret.txt, digest: "user:pass", expect: { body: { contains: secret } } }
      """
    let run = try await TestRun.carryOut(text, folder: folder)
    #expect(run.results.allSatisfy { $0.outcome == .passed }, "\(run.results.flatMap { $0.failures.map(\.message) })")
  }

  @Test func `digest credentials in the document's defaults are not sent to another origin`() async throws {
    let server = try HTTPBinServer.shared().url
    let text = """
      garland: 1
      defaults: { base_url: "http://127.0.0.1:1", digest: "user:pass" }
      steps:
        elsewhere: { get: \(server)/digest-auth/auth/user/pass/MD5, expect: { status: 401 } }
      """
    let run = try await TestRun.carryOut(text)
    #expect(try run.result("elsewhere").outcome == .passed)
  }
}

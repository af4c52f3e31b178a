import GarlandDiagnostics
import GarlandResults
import GarlandSandbox
import GarlandWorkflow
import Glibc
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of files on this machine that can't be read or written. Such a failure says nothing about the API, and has its own kind.
@Suite(.timeLimit(.minutes(15))) struct FileFailureTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let step: String
  }

  /// Cases in a folder with a file `plain` and a folder `folder`, in which `plain/x` cannot exist. The names are in variables, so that no
  /// mistake is found before the run.
  static let cases: [Case] = [
    Case(testDescription: "a download into what is no folder", step: "get: /get, download: '${vars.inPlain}'"),
    Case(testDescription: "a download that would replace a folder", step: "get: /get, download: { to: '${vars.folder}', replace: true }"),
    Case(testDescription: "a body that is a folder", step: "post: /post, body: { file: '${vars.folder}' }"),
    Case(testDescription: "a body that is not there", step: "post: /post, body: { file: '${vars.missing}' }"),
    Case(testDescription: "a part that is a folder", step: "post: /post, multipart: { a: { file: '${vars.folder}' } }"),
    Case(testDescription: "a cookie file that is a folder", step: "get: /get, cookies: '${vars.folder}'"),
    Case(testDescription: "a cache in what is no folder", step: "get: /get, cache: { dir: '${vars.inPlain}' }"),
    Case(testDescription: "a value of a file that is not there", step: "post: /post, json: { a: \"${file(vars.missing)}\" }"),
    Case(testDescription: "an expectation of a file that is not there", step: "get: /get, expect: { body: \"${file(vars.missing)}\" }"),
    Case(testDescription: "a digest of a file that is not there", step: "get: /get, expect: { sha256: { file: '${vars.missing}' } }"),
    Case(testDescription: "rows of a file that is not there", step: "rows: '${vars.missing}.csv', get: /get"),
    Case(testDescription: "a file: URL of a file that is not there", step: "get: 'file://FOLDER/${vars.missing}'"),
    Case(testDescription: "a file: URL of a folder", step: "get: 'file://FOLDER/${vars.folder}'"),
    Case(testDescription: "authorities that are none", step: "get: 'NGINX/json', tls: { ca: plain }"),
    Case(testDescription: "a client certificate that is none", step: "get: 'NGINX/json', tls: { cert: plain, key: plain }"),
  ]

  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    _ = try folder.write("plain", "not a folder\n")
    _ = try folder.write("folder/x", "")
    return folder
  }

  private static let variables = "vars: { inPlain: plain/x, folder: folder, missing: nothing }\n"

  @Test(arguments: cases) func `if a step can't read or write a file, the step ends with an error about the file`(_ test: Case) async throws
  {
    try await withSandbox { sandbox in
      let folder = try Self.folder()
      let step = test.step.replacing("NGINX", with: try NginxServer.shared().secureURL).replacing("FOLDER", with: folder.path)
      let run = try await TestRun.carryOut(
        prelude.replacing("steps:\n", with: Self.variables + "steps:\n  a: { \(step) }\n"), sandbox, folder: folder)
      let result = try run.result("a")
      #expect(result.outcome == .error, "\(result.failures)")
      #expect(result.failures.map(\.kind) == [.file], "\(result.failures)")
      #expect(run.summary.exitStatus == 4)
    }
  }

  @Test(arguments: [("/proc/garland", false), ("{ to: missing/a.bin, create_dirs: false }", true)])
  func `the error for a download in a missing folder mentions create_dirs only if the step sets this key`(
    download: String, hasAdvice: Bool
  ) async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(prelude + "  a: { get: /get, download: \(download) }\n", sandbox, folder: try Self.folder())
      let failure = try #require(try run.result("a").failures.first)
      #expect(failure.kind == .file && (failure.help?.contains("create_dirs") ?? false) == hasAdvice, "\(failure)")
    }
  }

  @Test(arguments: ["'${vars.folder}'", "{ to: '${vars.folder}', replace: false }"])
  func `if the path of a download is a folder, the step fails with a file error before its request is sent`(download: String) async throws {
    try await withSandbox { sandbox in
      let text = prelude.replacing("steps:\n", with: Self.variables + "steps:\n  a: { get: /get, download: \(download) }\n")
      let run = try await TestRun.carryOut(text, sandbox, folder: try Self.folder())
      let failure = try #require(try run.result("a").failures.first)
      #expect(failure.kind == .file && failure.message == "`folder` is a folder, not a file", "\(failure)")
      #expect(failure.help?.contains("name: suggested") == true)
      #expect(sandbox.records.isEmpty)
    }
  }

  @Test(arguments: [
    "get: /get, download: { to: plain, replace: false }", "get: /get, download: '${vars.inPlain}'",
    "post: /post, body: { file: '${vars.folder}' }", "post: /post, download: { to: missing/a.bin, create_dirs: false }",
    "post: /post, download: { to: missing, name: suggested, create_dirs: false }",
  ]) func `if a request is not sent because of a problem with a file, it does not count as a request`(step: String) async throws {
    try await withSandbox { sandbox in
      let text = prelude.replacing("steps:\n", with: Self.variables + "steps:\n  a: { \(step) }\n  b: { get: /get }\n")
      let run = try await TestRun.carryOut(text, sandbox, folder: try Self.folder())
      #expect(try run.result("a").failures.map(\.kind) == [.file])
      #expect(try run.result("a").requestCount == 0 && run.summary.requestCount == 1)
      #expect(sandbox.records.count == 1)
    }
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may write to each folder"), arguments: ["locked/a.bin", "locked/below/a.bin"])
  func `a download to a folder that is not writable is refused before its request is sent`(path: String) async throws {
    try await withSandbox { sandbox in
      let folder = try Self.folder()
      mkdir(folder.path + "/locked", 0o555)
      let run = try await TestRun.carryOut(prelude + "  a: { post: /post, download: \(path) }\n", sandbox, folder: folder)
      #expect(try run.result("a").failures.first?.message.contains("Permission denied") == true)
      #expect(sandbox.records.isEmpty)
    }
  }

  @Test func `a cookie file that can't be written ends the run with status 4`() async throws {
    try await withSandbox { sandbox in
      let text = prelude.replacing("steps:\n", with: "steps:\n  a: { get: '/cookies/set?a=1', cookies: plain/jar.txt }\n")
      let run = try await TestRun.carryOut(text, sandbox, folder: try Self.folder())
      #expect(try run.result("a").outcome == .passed)
      #expect(run.summary.runErrors.map(\.code) == [.cookieFile])
      #expect(run.summary.exitStatus == 4)
    }
  }
}

import GarlandJSON
import GarlandResults
import GarlandSandbox
import TestSupport
import Testing

@testable import GarlandRunner

@Suite("file:, data: and ftp: URLs") struct OtherSchemeTests {
  @Test func `a step reads a file of the project by a path relative to the document`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a b.json", #"{"n": 1}"#)
    let run = try await TestRun.carryOut(
      """
      garland: 1
      vars: { name: a b }
      steps:
        relative: { get: "file:a%20b.json", expect: { type: application/json, json: { $.n: 1 } } }
        absolute: { get: "file://\(folder.path)/a%20b.json", extract: { n: $.n } }
        named: { get: "file:${vars.name}.json", expect: { json: { $.n: "${absolute.n}" } } }
      """, folder: folder)
    #expect(run.outcomes == ["relative passed", "absolute passed", "named passed"], "\(run.results.flatMap(\.failures).map(\.message))")
  }

  @Test func `a step reads a file from an FTP server and checks its content`() async throws {
    let server = try FTPServer.shared()
    let run = try await TestRun.carryOut(
      """
      garland: 1
      steps:
        file: { get: "ftp://\(server.address)/dir/data.json", expect: { json: { $.ok: true } } }
        missing: { get: "ftp://\(server.address)/none", expect: { status: 200 } }
        named: { get: "ftp://${env.HOST}/hello.txt", expect: { body: { contains: Hello } } }
      """
    ) { $0.environment["HOST"] = server.address }
    #expect(run.outcomes == ["file passed", "missing error", "named passed"], "\(run.results.flatMap(\.failures).map(\.message))")
  }

  @Test(arguments: ["${env.URL}", "${page.next}", "fi${'le'}:secret.txt"])
  func `a URL whose scheme comes from a variable or a response cannot be a file URL`(url: String) async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      try folder.write("secret.txt", "hidden")
      let run = try await TestRun.carryOut(
        """
        garland: 1
        defaults: { base_url: "${env.SANDBOX}" }
        steps:
          page: { post: /anything, json: "file:///\(folder.path)/secret.txt", extract: { next: $.json } }
          it: { get: "\(url)" }
        """, sandbox, folder: folder
      ) { $0.environment["URL"] = "file:secret.txt" }
      let result = try run.result("it")
      #expect(result.outcome == .failed)
      #expect(result.exchanges.isEmpty)
    }
  }

  @Test func `if a step reads a file URL, its pagination cannot read another file`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("page.json", #"{"next": "other.json"}"#)
    try folder.write("other.json", #"{"next": null}"#)
    let run = try await TestRun.carryOut(
      """
      garland: 1
      steps:
        it: { get: "file:page.json", paginate: { next: "${response.json.next}" } }
      """, folder: folder)
    #expect(try run.result("it").failures.map(\.subject) == ["paginate"])
    #expect(try run.result("it").exchanges.count == 1)
  }

  @Test func `if an expression gives the path of a file URL, a file outside the project is refused`() async throws {
    let run = try await TestRun.carryOut(
      """
      garland: 1
      steps:
        it: { get: "file:${env.NAME | raw}" }
      """
    ) { $0.environment["NAME"] = "/etc/hostname" }
    let result = try run.result("it")
    #expect(result.outcome == .error)
    #expect(result.failures.first?.help?.contains("--allow-path") == true, "\(result.failures)")
  }
}

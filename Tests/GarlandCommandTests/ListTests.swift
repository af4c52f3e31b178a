import GarlandJSON
import TestSupport
import Testing

/// Tests of `garland list` with the URLs of a profile.
@Suite(.timeLimit(.minutes(15))) struct ListTests {
  private static let document = """
    garland: 1
    vars: { version: v1, mode: GET }
    secrets: [KEY]
    defaults: { base_url: "https://${vars.host}" }
    profiles: { local: { vars: { host: localhost } }, staging: { vars: { host: staging.example.com, version: v2 } } }
    steps:
      create: { post: "/${vars.version}/books", extract: { id: $.id } }
      read: { get: "/${vars.version}/books/${create.id}?run=${run.id}" }
      keyed: { get: "/search?key=${secrets.KEY}" }
      chosen: { method: "${vars.mode}", url: "https://other.example.com/a" }

    """

  private func list(_ words: String...) async throws -> ChildProcess.Result {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.document)
    return try await Garland.run(["list", "w.yaml"] + words, environment: ["KEY": "tops3cret"], in: folder.path)
  }

  @Test func `garland list shows the methods and URLs of the steps in the selected profile`() async throws {
    let result = try await list("--profile", "staging")
    #expect(result.status == 0, "\(result.error)")
    for line in [
      "POST https://staging.example.com/v2/books", "GET https://staging.example.com/v2/books/${create.id}?run=${run.id}",
      "GET https://other.example.com/a",
    ] { #expect(result.output.contains(line + "\n"), "\(result.output)") }
    #expect(!result.output.contains("tops3cret"), "\(result.output)")
  }

  @Test func `'garland list --format json' prints each URL twice, evaluated with the selected profile and as written in the document`()
    async throws
  {
    let result = try await list("--profile", "local", "--format", "json")
    let steps = try JSONValue(parsing: result.output).arrayValue ?? []
    #expect(steps.first?["url"]?.stringValue == "https://localhost/v1/books")
    #expect(steps.first?["template"]?.stringValue == "/${vars.version}/books")
    #expect(steps.last?["method"]?.stringValue == "GET")
    #expect(!result.output.contains("tops3cret"), "\(result.output)")
  }

  @Test func `if the environment variable in base_url is not set, garland list shows the URL as it is written in the document`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\ndefaults: { base_url: \"${env.NOBODY_SETS_IT}\" }\nsteps: { a: { get: /a } }\n")
    let result = try await Garland.run(["list", "w.yaml"], in: folder.path)
    #expect(result.status == 0 && result.output.contains("GET /a\n"), "\(result.output)\(result.error)")
  }

  @Test(arguments: ["uuid()", "now()", "random(1, 1000000)", "run.id", "fake_name() | upper"])
  func `garland list shows a variable's name, not its value, if the value differs from run to run`(expression: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "w.yaml",
      "garland: 1\nvars: { x: \"${\(expression)}\", path: \"a-${vars.x}\" }\n"
        + "steps: { a: { get: \"http://h.test/${vars.path}/${vars.x}/${\(expression)}\" } }\n")
    let result = try await Garland.run(["list", "w.yaml"], in: folder.path)
    #expect(result.output.contains("GET http://h.test/${vars.path}/${vars.x}/${\(expression)}\n"), "\(result.output)\(result.error)")
  }
}

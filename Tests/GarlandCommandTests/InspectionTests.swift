import GarlandJSON
import TestSupport
import Testing

/// Tests of the output of commands that send no requests.
@Suite(.timeLimit(.minutes(15))) struct InspectionTests {
  @Test(arguments: [
    ["--help"], ["help", "run"], ["help", "plan"], ["help", "curl"], ["help", "list"], ["help", "reach"], ["help", "import"],
    ["help", "report"], ["help", "report", "show"], ["help", "report", "merge"], ["help", "report", "history"], ["--version"],
    ["help", "auth"], ["help", "auth", "login"], ["help", "auth", "status"], ["help", "auth", "logout"],
    ["list", "examples/collection"], ["list", "examples/collection", "--profiles"],
    ["list", "examples/collection", "--profiles", "--format", "json"], ["env", "examples/collection"],
    ["env", "examples/collection/environment.yaml", "--format", "json"], ["help", "env"], ["help", "init"],
    ["plan", "examples/collection", "--why", "orders.yaml#order"],
    ["list", "examples/bookshop.yaml", "--tag", "smoke", "--format", "json"],
    ["plan", "examples/quickstart.yaml"], ["plan", "examples/quickstart.yaml", "--format", "mermaid"],
    ["plan", "examples/quickstart.yaml", "--format", "dot", "--critical-path"], ["plan", "examples/quickstart.yaml", "--why", "remove"],
    ["plan", "examples/quickstart.yaml", "--stats"], ["plan", "examples/quickstart.yaml", "--critical-path"],
    ["plan", "examples/quickstart.yaml", "read_back"], ["check", "examples"], ["init", "-"],
    ["curl", "examples/quickstart.yaml", "login"],
    ["curl", "examples/quickstart.yaml", "cover", "--var", "create.id=7", "--var", "login.token=t"],
  ])
  func `each command that only inspects a workflow prints the output in the command's golden file`(arguments: [String]) async throws {
    let result = try await Garland.run(arguments)
    #expect(result.status == 0, "\(result.error)")
    let name = Garland.name(of: arguments.map { $0.replacing("examples/", with: "") })
    let output = try Garland.withoutFormats(result.output).replacing(Repository.path, with: "/REPOSITORY")
    expectGolden(output + (result.error.isEmpty ? "" : "--- standard error\n" + result.error), "inspection/\(name).txt")
  }

  @Test(arguments: [
    "run", "check", "plan", "list", "curl", "export", "env", "reach", "schema", "sandbox", "init", "import", "report", "auth",
  ])
  func `the --help of a command prints the same text as garland help`(command: String) async throws {
    let help = try await Garland.run(["help", command])
    #expect(try await Garland.run([command, "--help"]).output == help.output)
  }

  @Test func `in the help, the explanation of each exit status fits on a line of a manual page of 80 columns`() async throws {
    let help = try await Garland.run(["--help"]).output
    let explanations = help.matches(of: /(?m)^ {2}[0-9]+ +(.+)$/).map(\.output.1)
    #expect(explanations.count >= 6)
    for explanation in explanations { #expect(explanation.count <= 67, "\(explanation)") }
  }

  @Test func `garland check accepts a document that uses GARLAND_SANDBOX even if this variable is not set`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", "garland: 1\nsteps: { a: { get: \"${env.GARLAND_SANDBOX}/get\" } }\n")
    try folder.write("b.yaml", "garland: 1\nsteps: { a: { get: \"${env.ANOTHER_SERVER}/get\" } }\n")
    #expect(try await Garland.run(["check", "--strict", "a.yaml"], in: folder.path).status == 0)
    #expect(try await Garland.run(["check", "--strict", "b.yaml"], in: folder.path).status == 2)
  }

  /// The command also contains options for parts of a request other than headers and bodies.
  @Test func `a printed curl command contains the options for digest credentials and compression`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("books.csv", "title,price\nDune,9.50\n")
    try folder.write(
      "shop.yaml",
      """
      garland: 1
      secrets: [SHOP_PASSWORD]
      defaults:
        base_url: https://shop.example.com
        digest: "alice:${secrets.SHOP_PASSWORD}"
      steps:
        price: { get: /books/1 }
        order: { post: /orders, json: { title: Dune }, compress: gzip }
        import: { put: /import, body: { file: books.csv }, compress: deflate }

      """)
    let result = try await Garland.run(
      ["curl", "shop.yaml", "--step", "price", "--step", "order", "--step", "import"], environment: ["SHOP_PASSWORD": "s3cr3t-word"],
      in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    #expect(!result.output.contains("s3cr3t-word"))
    expectGolden(result.output.replacing(folder.path, with: "/FOLDER"), "inspection/curl_digest_and_compress.txt")
  }

  @Test func `garland plan --format json prints every step of the plan`() async throws {
    let result = try await Garland.run(["plan", "examples/quickstart.yaml", "--format", "json"])
    let plan = try JSONValue(parsing: result.outputBytes)
    #expect(plan["steps"]?.arrayValue?.count == 10)
    #expect(result.error.isEmpty)
  }

  @Test func `the workflow that garland init writes passes garland check and runs`() async throws {
    let folder = try TemporaryFolder()
    #expect(try await Garland.run(["init", "garland.yaml"], in: folder.path).status == 0)
    #expect(folder.names == ["garland.yaml"])
    #expect(try await Garland.run(["init", "garland.yaml"], in: folder.path).status == 2)
    #expect(try await Garland.run(["check", "--strict"], in: folder.path).status == 0)
    let run = try await Garland.run(["run", "--sandbox"], in: folder.path)
    #expect(run.status == 0, "\(run.output)\(run.error)")
    #expect(run.output.contains("5 passed"))
    #expect(try await Garland.run(["init", "garland.yaml", "--force"], in: folder.path).status == 0)
    #expect(try await Garland.run(["init", "no/such/folder.yaml"], in: folder.path).status == 4)
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func `garland prints a completion script for each shell`(shell: String) async throws {
    let result = try await Garland.run(["--generate-completion-script", shell])
    #expect(result.status == 0)
    for word in ["changed-since", "max-failures", "sandbox", "curl"] { #expect(result.output.contains(word)) }
  }
}

import GarlandJSON
import GarlandSandbox
import TestSupport
import Testing

/// Tests that the output of `garland curl`, executed by a shell, sends the same requests as `garland run`. The server's records of both are
/// compared.
@Suite(.timeLimit(.minutes(15))) struct CurlCommandTests {
  /// The parts of a request that do not depend on its sender. They exclude the connection, and the boundary of a multipart body.
  struct Request: Hashable, Comparable, CustomStringConvertible {
    let description: String

    init(_ record: SandboxRecord) {
      let isMultipart = !record.body.parts.isEmpty
      let fields = record.headers.filter { field in
        let name = field.name.lowercased()
        return !isMultipart || name != "content-type" && name != "content-length"
      }
      let body = isMultipart ? "\(record.body.parts)" : "\(record.body.size) bytes \(record.body.sha256)"
      let lines = fields.map { "\($0.name.lowercased()): \($0.value)" }.sorted()
      description = (["\(record.method) \(record.target)"] + lines + [body]).joined(separator: "\n")
    }

    static func < (left: Self, right: Self) -> Bool { left.description < right.description }
  }

  @Test func `for every step of the quick start, the curl command sends the same request as the step`() async throws {
    try await compare("examples/quickstart.yaml") { records in
      let removal = try #require(records.first { $0.method == "DELETE" })
      let token = try #require(removal.values(of: "Authorization").first?.dropFirst("Bearer ".count))
      let book = try #require(removal.target.split(separator: "/").last)
      return ["login.token=\(token)", "create.id=\(book)"]
    }
  }

  @Test func `for every step of the bookshop example, the curl command sends the same request as the step`() async throws {
    try await compare("examples/bookshop.yaml") { records in
      let cover = try #require(records.first { $0.method == "PUT" })
      let token = try #require(cover.values(of: "Authorization").first?.dropFirst("Bearer ".count))
      let dune = try #require(cover.target.split(separator: "/").dropLast().last)
      let emma = try #require(records.first { $0.method == "PATCH" }?.target.split(separator: "/").last)
      return ["login.token=\(token)", "dune.id=\(dune)", "emma.id=\(emma)"]
    }
  }

  /// Compares the requests of both commands for an example.
  ///
  /// - Parameter values: returns the values that steps use from each other, found in the records of the run.
  private func compare(_ example: String, values: ([SandboxRecord]) throws -> [String]) async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    let environment = ["GARLAND_SANDBOX": sandbox.url]
    let file = Repository.path(example)
    let run = try await Garland.run(["run", file], environment: environment, in: folder.path)
    #expect(run.status == 0, "\(run.output)\(run.error)")
    let records = sandbox.records
    let steps = try await Garland.run(["list", file, "--format", "json"], environment: environment)
    let names = try #require(try JSONValue(parsing: steps.outputBytes).arrayValue).compactMap { $0["id"]?.stringValue }
    try #require(names.count == records.count, "\(steps.output)")
    let values = try values(records)
    let given = values.flatMap { ["--var", $0] }
    let commands = try await Garland.run(["curl", file] + names.flatMap { ["--step", $0] } + given, environment: environment)
    #expect(commands.status == 0, "\(commands.error)")
    sandbox.clearRecords()
    // The token is a secret, so the commands contain a shell variable for it.
    let token = try #require(values.first { $0.hasPrefix("login.token=") }?.dropFirst("login.token=".count))
    #expect(!commands.output.contains(token))
    let shell = try await ChildProcess.run(
      "/bin/sh", [], environment: ["LOGIN_TOKEN": String(token)], input: commands.outputBytes, in: folder.path)
    #expect(shell.status == 0, "\(shell.error)")
    let repeated = sandbox.records
    await sandbox.stop()
    #expect(repeated.map(Request.init).sorted() == records.map(Request.init).sorted(), "\(commands.output)")
  }
}

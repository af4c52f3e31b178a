import GarlandJSON
import GarlandPlanner
import GarlandSandbox
import TestSupport
import Testing

/// Steps that don't need each other overlap: seen by the server, on its own clock.
@Suite(.timeLimit(.minutes(5))) struct OverlapTests {
  @Test func `the quick start takes as long as its longest chain`() async throws {
    let sandbox = try await Sandbox.start()
    let result = try await Garland.run(["run", "examples/quickstart.yaml"], environment: ["GARLAND_SANDBOX": sandbox.url])
    #expect(result.status == 0)
    let records = sandbox.records
    await sandbox.stop()
    func record(_ method: String, _ start: String) throws -> (from: Duration, to: Duration) {
      let record = try #require(records.first { $0.method == method && $0.target.hasPrefix(start) }, "\(method) \(start)")
      return (record.arrived, try #require(record.finished))
    }
    let report = try record("GET", "/delay/0.8")
    let warehouse = try record("GET", "/delay/0.4")
    let login = try record("POST", "/login")
    let create = try record("POST", "/books")
    let remove = try record("DELETE", "/books/")
    // Chains are kept: what a step needs was answered before it came.
    #expect(login.to <= create.from && create.to <= warehouse.from && warehouse.to <= remove.from)
    // Everything else happens while the slow report is being made, the other slow request too.
    for (method, start) in [("POST", "/login"), ("POST", "/books"), ("PUT", "/books/"), ("GET", "/delay/0.4"), ("DELETE", "/books/")] {
      let other = try record(method, start)
      #expect(other.from < report.to && other.to < report.to, "\(method) \(start) does not wait for the report")
    }
    let first = try #require(records.map(\.arrived).min())
    let last = try #require(records.compactMap(\.finished).max())
    // The longest chain is the report alone: before it and behind it there is nothing to wait for. One after another the requests take longer.
    let sum = records.reduce(Duration.zero) { $0 + (($1.finished ?? $1.arrived) - $1.arrived) }
    #expect(sum > .milliseconds(1_200))
    #expect(last - first < sum)
    #expect(last == report.to, "the slow report ends last")
  }
}

/// `--engines`: the same run with several threads that send.
@Suite(.timeLimit(.minutes(5))) struct EnginesTests {
  @Test(arguments: [1, 2, 5]) func `steps of several origins depend on each other across threads`(_ engines: Int) async throws {
    let sandboxes = [try await Sandbox.start(), try await Sandbox.start(), try await Sandbox.start()]
    let folder = try TemporaryFolder()
    let steps = (0..<24).map { number in
      """
        s\(number):
          post: ${env.SERVER\(number % 3)}/anything/n
          json: { value: "\(number == 0 ? "0" : "${s\(number - 1).value}")-\(number)" }
          retry: 1
          extract: { value: $.json.value }

      """
    }.joined()
    let names = (0..<24).map { "free\($0):\n    get: ${env.SERVER\($0 % 3)}/delay/0.01\n" }.map { "  " + $0 }.joined()
    _ = try folder.write("many.yaml", "garland: 1\nsteps:\n" + steps + names)
    var environment: [String: String?] = [:]
    for (number, sandbox) in sandboxes.enumerated() { environment["SERVER\(number)"] = sandbox.url }
    let result = try await Garland.run(
      ["run", "many.yaml", "--engines", "\(engines)", "--print", "${s23.value}"], environment: environment, in: folder.path)
    #expect(result.status == 0)
    #expect(result.output == (0..<24).reduce("0") { "\($0)-\($1)" } + "\n")
    for sandbox in sandboxes {
      #expect(sandbox.records.count == 16)
      await sandbox.stop()
    }
  }

  @Test(arguments: ["0", "65", "x"]) func `a number that makes no sense is refused`(_ engines: String) async throws {
    let result = try await Garland.run(["run", "examples/quickstart.yaml", "--engines", engines], environment: [:])
    #expect(result.status == 2)
    #expect(result.error.contains("--engines"))
  }
}

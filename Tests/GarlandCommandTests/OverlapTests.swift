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

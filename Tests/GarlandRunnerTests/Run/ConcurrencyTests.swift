import GarlandResults
import GarlandSandbox
import Testing

@testable import GarlandRunner

@Suite("Concurrency, by the server's own clock")
struct ConcurrencyTests {
  /// Returns the maximum number of requests that the server processed at the same time.
  static func overlap(_ records: [SandboxRecord]) -> Int {
    let ends = records.flatMap { record in [(record.arrived, 1), (record.finished ?? record.arrived, -1)] }
    var now = 0
    return ends.sorted { $0.0 != $1.0 ? $0.0 < $1.0 : $0.1 < $1.1 }.reduce(0) { most, end in
      now += end.1
      return max(most, now)
    }
  }

  @Test func `steps that do not depend on each other run at the same time`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a: { get: /delay/0.2?a, extract: { path: $.path } }
            b: { get: /delay/0.2?b }
            c: { get: /delay/0.2?c }
            after_a: { get: "/delay/0.1?${a.path}" }
          """, sandbox)
      #expect(run.summary.exitStatus == 0)
      let records = sandbox.records
      let first = try #require(records.first { $0.target == "/delay/0.2?a" })
      let second = try #require(records.first { $0.target.hasPrefix("/delay/0.1") })
      #expect(Self.overlap(records) == 3)
      #expect(second.arrived >= (first.finished ?? .zero))
    }
  }

  @Test(arguments: [(4, 6, 4), (16, 3, 3), (1, 6, 1)])
  func `the number of concurrent transfers never exceeds the limits of the run and of an origin`(
    concurrency: Int, perOrigin: Int, most: Int
  ) async throws {
    try await withSandbox { sandbox in
      let steps = (1...12).map { "  s\($0): { get: \"/delay/0.03?\($0)\" }" }.joined(separator: "\n")
      let run = try await TestRun.carryOut(prelude + steps, sandbox) {
        $0.pace.concurrency = concurrency
        $0.pace.perOrigin = perOrigin
      }
      #expect(run.summary.exitStatus == 0)
      #expect(Self.overlap(sandbox.records) == most)
      #expect(sandbox.connections.accepted <= most)
    }
  }

  @Test func `a limit on concurrent requests to each server does not delay requests to an idle server`() async throws {
    try await withSandbox { busy in
      try await withSandbox { idle in
        let steps = (1...12).map { "  s\($0): { get: \"/delay/0.1\" }" }.joined(separator: "\n")
        let other = "\n  other: { get: \"\(idle.url)/get\" }"
        let run = try await TestRun.carryOut(prelude + steps + other, busy) { $0.pace.perOrigin = 2 }
        #expect(run.summary.exitStatus == 0)
        // In the document, eleven steps for the busy server precede this step.
        #expect(run.results.first?.step.id == "other")
      }
    }
  }

  @Test func `a serial run executes the steps in document order, unless a step waits for a later step`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            c: { get: "/anything/c?${d.status}" }
            a: { get: /anything/a }
            d: { get: /anything/d }
            b: { get: /anything/b }
          """, sandbox
      ) { $0.pace.isSerial = true }
      #expect(run.results.map(\.step.id) == ["a", "d", "c", "b"])
      #expect(Self.overlap(sandbox.records) == 1)
    }
  }

  @Test func `if the steps of a document run in file order, a step waits until the step before it has ended`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        """
        garland: 1
        order: file
        defaults: { base_url: "${env.SANDBOX}" }
        steps:
          a: { get: /delay/0.05 }
          b: { get: /status/500 }
          c: { get: /get }
        """, sandbox)
      #expect(run.results.map(\.step.id) == ["a", "b", "c"])
      #expect(run.outcomes == ["a passed", "b failed", "c passed"])
    }
  }

  @Test func `if the order of steps is shuffled, the run passes, and a cleanup is the last step`() async throws {
    try await withSandbox { sandbox in
      let text =
        prelude + """
            login: { post: /anything, json: { token: abc }, extract: { token: { json: $.json.token, secret: true } } }
            one: { get: "/anything/${login.token}", expect: { status: 200 } }
            two: { get: /anything, after: one }
            three: { get: "/anything/${one.status}" }
            gone: { delete: /anything, cleanup: login }
          """
      for seed in 0..<20 {
        let run = try await TestRun.carryOut(text, sandbox) {
          $0.pace.shuffleSeed = UInt64(seed)
          $0.pace.isSerial = seed.isMultiple(of: 2)
        }
        #expect(run.summary.exitStatus == 0, "seed \(seed)")
        #expect(run.results.last?.step.id == "gone", "seed \(seed)")
      }
    }
  }
}

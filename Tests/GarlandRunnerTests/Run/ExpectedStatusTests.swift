import GarlandResults
import GarlandSandbox
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests that an expected status is never retried in any form of the expectation, and of the outcome of a step with an invalid local file.
@Suite(.timeLimit(.minutes(15))) struct ExpectedStatusTests {
  @Test(arguments: ["302", "3xx", "[301, 302]", "{ eq: 302 }", "{ in: [301, 302] }", "{ gte: 300, lt: 400 }", "{ not: { lt: 300 } }"])
  func `if a step expects a redirect status, the redirect is not followed`(_ status: String) async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(prelude + "  a: { get: /redirect/1, expect: { status: \(status) } }\n", sandbox)
      #expect(run.outcomes == ["a passed"], "\(run.results.map(\.failures))")
    }
  }

  @Test(arguments: ["503", "[200, 503]", "{ eq: 503 }", "{ in: [200, 503] }", "{ gte: 500 }"])
  func `if a step with 'retry' expects the status 503, a response with this status is not retried`(_ status: String) async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + "  a: { get: /status/503, retry: { limit: 2, delay: 1ms }, expect: { status: \(status) } }\n", sandbox)
      #expect(run.outcomes == ["a passed"])
      #expect(try run.result("a").exchanges.count == 1)
    }
  }

  /// The exit status is 4 and not 1, since the result says nothing about the API.
  @Test(arguments: [
    "expect: { sha256: { file: \"${vars.name}\" } }", "expect: { that: \"${file(vars.name) == 'a'}\" }",
    "headers: { X: \"${file(vars.name)}\" }", "expect: { body: { contains: \"${file(vars.name)}\" } }",
  ])
  func `if a step can't read a file that it needs, the exit status of the run is 4`(_ line: String) async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        "garland: 1\nvars: { name: gone.txt }\ndefaults: { base_url: \"${env.SANDBOX}\" }\nsteps:\n  a: { get: /anything, \(line) }\n",
        sandbox)
      #expect(run.summary.exitStatus == 4, "\(run.outcomes) \(run.results.map(\.failures))")
    }
  }

  @Test func `if a step has a failed expectation and a missing file, the exit status is 1`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        "garland: 1\nvars: { name: gone.txt }\ndefaults: { base_url: \"${env.SANDBOX}\" }\nsteps:\n"
          + "  a: { get: /anything, expect: { status: 201, sha256: { file: \"${vars.name}\" } } }\n", sandbox)
      #expect(run.summary.exitStatus == 1)
    }
  }

  @Test(arguments: ["-1e30", "1e30", "-5", "1e400"]) func `the time of a response can be compared with negative and very large numbers`(
    _ number: String
  )
    async throws
  {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        "garland: 1\nvars: { x: \(number) }\ndefaults: { base_url: \"${env.SANDBOX}\" }\nsteps:\n"
          + "  a: { get: /anything, expect: { time: { lt: \"${vars.x}\" } } }\n", sandbox)
      #expect(run.outcomes == [number.hasPrefix("-") ? "a failed" : "a passed"])
    }
  }

  @Test func `if a failed step discards its downloaded file, the step's result does not name the file`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      let run = try await TestRun.carryOut(
        prelude + "  a: { get: /status/404, download: { to: kept.bin, replace: true } }\n  b: { get: /uuid, download: b.bin }\n", sandbox,
        folder: folder)
      #expect(try run.result("a").exchanges.last?.responseBody?.file == nil)
      #expect(try run.result("b").exchanges.last?.responseBody?.file?.hasSuffix("b.bin") == true)
    }
  }

  @Test func `a polling step ends when its time limit is reached, even in the middle of a request`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + "  a: { get: /delay/10, poll: { until: \"${response.json.done}\", within: 3s } }\n", sandbox)
      #expect(run.outcomes == ["a failed"])
      #expect(try run.result("a").failures.map(\.message) == ["`response.json.done` was not true within 3 s (1 poll)"])
    }
  }

  @Test func `a run does not count responses from the cache and received callbacks as requests`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude
          + "  hook: { listen: /hook }\n  call: { post: /callbacks, json: { url: \"${hook.url}\" }, expect: { status: 202 } }\n"
          + "  first: { get: /cache/60, cache: true }\n  again: { get: /cache/60, cache: true, after: first }\n", sandbox)
      #expect(run.summary.requestCount == 2, "\(run.outcomes)")
    }
  }
}

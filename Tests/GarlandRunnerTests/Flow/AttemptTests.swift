import GarlandJSON
import GarlandSandbox
import Synchronization
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of values that differ between the attempts of a step.
@Suite("Values of each attempt") struct AttemptTests {
  /// Returns a clock that advances by a second each time it is read.
  private static func clock() -> @Sendable () -> Double {
    let seconds = Mutex(1_700_000_000.0)
    let box = Box(seconds)
    return { box.next() }
  }

  private final class Box: Sendable {
    private let seconds: Mutex<Double>
    init(_ seconds: consuming Mutex<Double>) { self.seconds = seconds }
    func next() -> Double {
      seconds.withLock {
        $0 += 1
        return $0
      }
    }
  }

  private static func field(_ name: String, of record: SandboxRecord) -> String? {
    record.headers.first { $0.name.lowercased() == name }?.value
  }

  @Test(arguments: [
    #"get: "/flaky/a?fails=2&t=${now()}", retry: { limit: 3, delay: 1ms }"#,
    #"get: "/flaky/a?fails=2&t=${now()}", poll: { until: { status: 200 }, every: 1ms }"#,
    #"get: "/pages?total=3&size=1&t=${now()}", paginate: { next: { query: { page: "${response.json.page + 1}" } }, limit: 3 }"#,
  ])
  func `each attempt of a step evaluates now() again, but keeps the value of uuid()`(step: String) async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude
          + "  a: { \(step), headers: { X-Time: \"${now() | date('%s')}\", Idempotency-Key: \"${uuid()}-${random(1, 1000000)}\" } }\n",
        sandbox
      ) { $0.values.now = Self.clock() }
      #expect(run.outcomes == ["a passed"], "\(run.results.flatMap(\.failures).map(\.message))")
      #expect(sandbox.records.count == 3)
      #expect(Set(sandbox.records.compactMap { Self.field("x-time", of: $0) }).count == 3)
      #expect(Set(sandbox.records.compactMap { Self.field("idempotency-key", of: $0) }).count == 1)
    }
  }

  @Test func `a variable that uses now() has the same value in each attempt of a step`() async throws {
    try await withSandbox { sandbox in
      _ = try await TestRun.carryOut(
        """
        garland: 1
        vars: { begun: "${now()}" }
        defaults: { base_url: "${env.SANDBOX}" }
        steps:
          a: { get: "/flaky/a?fails=2", headers: { X-Time: "${vars.begun}" }, retry: { limit: 3, delay: 1ms } }
        """, sandbox
      ) { $0.values.now = Self.clock() }
      #expect(sandbox.records.count == 3)
      #expect(Set(sandbox.records.compactMap { Self.field("x-time", of: $0) }).count == 1)
    }
  }

  @Test func `if polling ends without success, the failure lists the expectations that the last response did not meet`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a: { get: /health, poll: { until: { status: 200, json: { $.status: closed, $.more: 1 } }, every: 1m, within: 30s } }
          """, sandbox)
      let failures = try run.result("a").failures
      #expect(failures.map(\.subject) == ["poll.until", "json $.status", "json $.more"])
      #expect(failures.allSatisfy { $0.range != nil })
    }
  }
}

@Suite("response.redirects") struct RedirectChainTests {
  @Test func `expressions and expectations can use the status, URL and headers of each redirect before a response`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a:
              get: /redirect/2
              expect:
                redirects: { gte: 1, lte: 2, length: 2, each: { subset: { status: 302 } } }
                that: "${response.redirects[0].headers.location == '/redirect/1' && response.redirects[1].location == response.url}"
              extract: { first: "${response.redirects[0].url}" }
            b:
              get: /health
              expect: { redirects: 0, that: "${(response.redirects | length) == 0}" }
            c:
              post: /anything
              json: { way: "${a.redirects}", first: "${a.first}" }
              expect: { json: { "$.json.way[*].status": [302, 302], $.json.first: { ends_with: /redirect/2 } } }
          """, sandbox)
      #expect(run.outcomes == ["a passed", "b passed", "c passed"], "\(run.results.flatMap(\.failures).map(\.message))")
    }
  }

  @Test func `if a redirect in a chain fails an expectation, the failure contains the number of the redirect`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + "  a: { get: /redirect/2, expect: { redirects: { each: { subset: { status: 301 } } } } }\n", sandbox)
      let failures = try run.result("a").failures
      #expect(failures.first?.message.contains("item 0") == true, "\(failures.map(\.message))")
    }
  }
}

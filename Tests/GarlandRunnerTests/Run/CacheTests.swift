import GarlandResults
import GarlandSandbox
import TestSupport
import Testing

@testable import GarlandRunner

@Suite("Cached responses", .timeLimit(.minutes(15)))
struct CacheTests {
  /// Returns the source of the last response of a step.
  static func source(_ run: TestRun, _ id: String) throws -> Exchange.Timing.Source? {
    try run.result(id).exchanges.last?.hops.last?.timing.source
  }

  @Test func `a repeated request is answered from the cache if the step's cache settings allow it`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        """
        garland: 1
        defaults: { base_url: "${env.SANDBOX}", cache: true }
        steps:
          first: { get: /cache/60, extract: { n: $.sequence } }
          second: { get: /cache/60, after: first, expect: { json: { $.sequence: "${first.n}" } } }
          without: { get: /cache/60, after: second, cache: false, expect: { json: { $.sequence: { ne: "${first.n}" } } } }
          reload: { get: /cache/60, after: without, cache: { policy: reload }, extract: { n: $.sequence } }
          reloaded: { get: /cache/60, after: reload, expect: { json: { $.sequence: "${reload.n}" } } }
          validated: { get: /cache/60, after: reloaded, headers: { Cache-Control: no-cache }, expect: { json: { $.sequence: "${reload.n}" } } }
          stale: { get: /cache/0, extract: { n: $.sequence } }
          still: { get: /cache/0, after: stale, cache: { policy: else_load }, expect: { json: { $.sequence: "${stale.n}" } } }
          polled: { get: "/cache/60?poll", poll: { until: "${response.json.sequence >= first.n + 12}", every: 1ms, within: 30s } }
          nothing: { get: /cache/61, cache: { policy: only }, expect: { error: not_cached } }
        """, sandbox)
      #expect(run.outcomes.allSatisfy { $0.hasSuffix(" passed") }, "\(run.outcomes)")
      let expected: [(String, Exchange.Timing.Source)] = [
        ("first", .network), ("second", .cache), ("without", .network), ("reload", .network), ("reloaded", .cache),
        ("validated", .validatedCache), ("stale", .network), ("still", .staleCache),
      ]
      for (id, source) in expected { #expect(try Self.source(run, id) == source, "\(id)") }
    }
  }

  @Test func `a request of a later run is answered from the cache folder of an earlier run`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      let text = """
        garland: 1
        defaults: { base_url: "${env.SANDBOX}", cache: { dir: out/cache } }
        steps: { a: { get: /cache/60 } }
        """
      #expect(try Self.source(await TestRun.carryOut(text, sandbox, folder: folder), "a") == .network)
      #expect(try Self.source(await TestRun.carryOut(text, sandbox, folder: folder), "a") == .cache)
      #expect(sandbox.records.count == 1)
    }
  }

  /// Responses are stored only on request, and never in a folder outside of the project.
  @Test func `if a step does not enable the cache, or the cache folder is outside the project, no response is stored`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      let run = try await TestRun.carryOut(
        """
        garland: 1
        defaults: { base_url: "${env.SANDBOX}" }
        steps:
          a: { get: /cache/60 }
          b: { get: /cache/60, after: a }
          outside: { get: /cache/60, cache: { dir: ../elsewhere }, allow_failure: true }
        """, sandbox, folder: folder)
      #expect(try Self.source(run, "b") == .network)
      let outside = try run.result("outside")
      #expect(outside.outcome == .error)
      let words = outside.failures.first?.message
      #expect(words == "`../elsewhere` can't be used: it is outside the project")
    }
  }
}

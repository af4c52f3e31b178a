import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import Testing

@testable import GarlandReports

/// Tests that all reports show the same number of requests.
@Suite struct RequestCountTests {
  /// A step that was redirected twice in its first attempt, and got the response of its second attempt from a cache.
  private static let redirected = Fixture.result(0, .passed) {
    var first = Fixture.exchange("GET", Fixture.base + "/health", status: 302)
    first.hops += [first.hops[0], first.hops[0]]
    var cached = Fixture.exchange("GET", Fixture.base + "/health", status: 200)
    cached.hops[0].timing.source = .cache
    $0.exchanges = [first, cached]
  }

  /// A step that received one request and sent none.
  private static let listening = Fixture.result(2, .passed) {
    var exchange = Fixture.exchange("POST", Fixture.base + "/hook", status: 200)
    exchange.isIncoming = true
    $0.exchanges = [exchange]
  }

  /// A step with redirects that failed, of whose requests five are not kept.
  private static let failed = Fixture.result(1, .failed) {
    $0.exchanges = redirected.exchanges
    $0.exchanges[0].hops.removeLast()
    $0.omittedRequests = 5
  }

  private static let events = ReportText.run([redirected, failed, listening])

  @Test func `the request count of a step includes redirects and retries, but not received callbacks or responses from the cache`() {
    #expect(Self.redirected.requestCount == 3)
    #expect(Self.listening.requestCount == 0)
    #expect(Self.failed.requestCount == 7)
  }

  @Test func `the console and the HTML, JSON and Markdown reports show the same number of requests`() async throws {
    let console = ConsoleHarness()
    try console.run(Self.events)
    let lines = console.standardOutput.text.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("✓ health") && $0.hasSuffix("  3 requests") })
    #expect(lines.contains { $0.hasPrefix("✓ cover") && !$0.contains("request") })
    #expect(lines.contains { $0.hasPrefix("  response") && $0.hasSuffix(" the last of 7 requests") })
    #expect(lines.contains { $0.contains("10 requests in ") })
    let page = try await HTMLPage(Self.events)
    #expect(page.text.contains("10 requests in"))
    #expect(page.data["index"]?["results"]?.arrayValue?.prefix(3).map { $0[10]?.intValue } == [3, 7, 0])
    #expect(try JSONValue(parsing: ReportText.of(.json, Self.events))["run"]?["requests"]?.intValue == 10)
    #expect(try ReportText.of(.markdown, Self.events).contains("10 requests in"))
  }

  /// Returns the recorded run of one of two shards that both ran the same step. A rerun sent two more requests for the step's dependencies.
  private static func shard(_ number: Int) throws -> RunRecording {
    let steps = [Fixture.steps[0]]
    var start = RunStart(runID: "r\(number)", startedAt: 0, steps: steps, dependencies: [[]], concurrency: 16)
    start.shard = RunShard(
      number: number, count: 2, profile: nil, division: "p",
      documents: [.init(file: Fixture.shop.name, digest: "d", steps: steps.map(\.id))], variables: [])
    var summary = RunSummary()
    summary.count(redirected)
    summary.requestCount += 2
    return try recording([.runStarted(start), .stepEnded(redirected), .runEnded(summary)])
  }

  private static func recording(_ events: [RunEvent]) throws -> RunRecording {
    try RunRecording(SourceFile(name: "r.json", bytes: Array(ReportText.of(.json, events).utf8)))
  }

  @Test func `a merged run has as many requests as its shards together, also after a round trip through its JSON report`() throws {
    let merged = try ShardMerge([("s1.json", Self.shard(1)), ("s2.json", Self.shard(2))], allowsMissing: false).recording
    #expect(merged.summary.requestCount == 10)
    let events = [RunEvent.runStarted(merged.start)] + merged.results.map { .stepEnded($0) } + [.runEnded(merged.summary)]
    #expect(try Self.recording(events).summary.requestCount == 10)
  }

  @Test
  func `the request count of a rerun step excludes its earlier executions, but the request count of the run includes them`()
    throws
  {
    var flaky = Self.redirected
    flaky.earlier = [Self.failed]
    var summary = RunSummary()
    summary.count(flaky)
    #expect(flaky.requestCount == 3 && summary.requestCount == 10)
  }
}

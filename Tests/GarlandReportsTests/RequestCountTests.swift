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

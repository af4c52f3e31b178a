import GarlandDiagnostics
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

/// Tests of loops, retries and polls on the console: iterations are aligned like steps, even if their names differ in length.
@Suite struct LoopConsoleTests {
  private static func step(_ index: Int, _ id: String, _ target: String, iteration columns: Int = 0) -> StepIdentity {
    StepIdentity(
      index: index, id: id, file: "examples/shop.yaml", workflow: "Loops", summary: nil, tags: [], range: SourceRange(Fixture.shop, 0..<0),
      verb: "GET", target: target, isCleanup: false, isRequest: true, iterationColumns: columns)
  }

  private static let steps = [
    step(0, "health", "/health"), step(1, "each", "/users/${item}", iteration: 20), step(2, "grid", "/shirts", iteration: 24),
    step(3, "later", "/orders/${item.id}", iteration: 12), step(4, "again", "/busy"), step(5, "wait", "/jobs/${start.id}"),
    step(6, "items", "/names/${item}", iteration: 12),
  ]

  private static func result(
    _ index: Int, _ iteration: (Int, String)? = nil, _ outcome: Outcome = .passed, url: String, requests: Int = 1, status: Int = 200,
    ends: Bool = true, failure: (String, String)? = nil
  ) -> StepResult {
    var result = StepResult(step: steps[index], outcome: outcome, startedAt: .zero, endedAt: .milliseconds(12 * requests))
    result.iteration = iteration?.1
    result.iterationIndex = iteration?.0
    result.endsStep = ends
    result.exchanges = (0..<requests).map { _ in Fixture.exchange("GET", Fixture.base + url, status: status, body: "{}") }
    if let failure { result.failures = [CheckFailure(.expectation, subject: failure.0, message: failure.1, at: nil)] }
    return result
  }

  private static var events: [RunEvent] {
    var skipped = result(6, (1, "2"), .skipped, url: "", requests: 0, ends: true)
    skipped.reason = "`when` is false: `item != 2`, item is 2"
    let results = [
      result(0, url: "/health"),
      result(1, (0, "acme"), url: "/users/acme", ends: false),
      result(
        1, (1, "globex-international"), .failed, url: "/users/globex", status: 404, ends: false,
        failure: ("status", "is 404, expected 2xx")),
      result(1, (2, "x"), url: "/users/x"),
      result(2, (0, "size=s, color=red"), url: "/shirts", ends: false), result(2, (1, "size=medium, color=blue"), url: "/shirts"),
      result(3, (0, "id=7, name=A name that is longer tha…"), url: "/orders/7", ends: false),
      result(3, (1, "id=12, name=b"), url: "/orders/12"),
      result(4, url: "/busy", requests: 3),
      result(
        5, nil, .failed, url: "/jobs/9", requests: 4,
        failure: ("poll.until", "`response.json.done` was not true within 400 ms (4 requests)")),
      result(6, (0, "1"), url: "/names/1", ends: false), skipped,
    ]
    var summary = RunSummary()
    for result in results { summary.count(result) }
    summary.wallTime = .milliseconds(50)
    let start = RunStart(
      runID: "r", startedAt: 0, steps: steps, dependencies: steps.map { _ in [] }, concurrency: 16)
    return [.runStarted(start)] + results.map { .stepEnded($0) } + [.runEnded(summary)]
  }

  @Test func `if console output goes to a pipe, the lines of loop items are aligned and not cut`() throws {
    let console = ConsoleHarness()
    try console.run(Self.events)
    expectGolden(console.standardOutput.text, "loops-pipe.txt")
    #expect(console.standardOutput.text.contains("each [globex-international]"))
  }

  @Test(arguments: [60, 80, 120]) func `on a terminal, each item of a loop takes one line that fits the width`(width: Int) throws {
    var options = ConsoleOptions()
    options.isLive = false
    let console = ConsoleHarness(options, width: width)
    try console.run(Self.events)
    expectGolden(console.standardOutput.text, "loops-\(width).txt")
    let rows = console.standardOutput.text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().prefix(12)
    #expect(rows.allSatisfy { DisplayWidth.of(String($0)) < width })
    // All statuses are in the same column.
    let columns = Set(rows.compactMap { row in row.firstRange(of: " 200 ").map { row.distance(from: row.startIndex, to: $0.lowerBound) } })
    #expect(columns.count == 1)
  }

  @Test(arguments: [60, 80]) func `on a terminal, long labels of a loop's items omit text that is the same in all labels`(width: Int) throws
  {
    var options = ConsoleOptions()
    options.isLive = false
    let console = ConsoleHarness(options, width: width)
    let labels = (8..<11).map { "customer-of-north-\($0)-with-orders-of-the-last-twelve-months" }
    let start = RunStart(runID: "r", startedAt: 0, steps: Self.steps, dependencies: Self.steps.map { _ in [] }, concurrency: 16)
    var events: [RunEvent] = [.runStarted(start)]
    events += labels.indices.map {
      .stepStarted(Self.steps[1], StepStart(at: .zero, iteration: labels[$0], iterationIndex: $0, itemCount: 3))
    }
    events += labels.indices.map { .stepEnded(Self.result(1, ($0, labels[$0]), url: "/users/\($0)", ends: $0 == 2)) }
    try console.run(events + [.runEnded(RunSummary())])
    let rows = console.standardOutput.text.split(separator: "\n").filter { $0.hasPrefix("✓ each [") }
    #expect(rows.count == 3)
    for (row, number) in zip(rows, 8...) {
      #expect(row.contains("-north-\(number)-with-") && DisplayWidth.of(String(row)) < width, "\(row)")
    }
  }

  @Test func `on a narrow terminal, the shortened labels of a loop's items still show where they differ`() {
    var labels = LoopLabels()
    for number in 3...4 {
      let start = StepStart(at: .zero, iteration: "customer-\(number)-of-last-year", iterationIndex: number, itemCount: 2)
      labels.receive(.stepStarted(Self.steps[1], start), mask: Mask(Redactor()))
    }
    let (name, label) = ("each_customer [customer-3-of-last-year]", "customer-3-of-last-year")
    #expect(labels.shortened(name, label: label, ofStep: 1, to: 19) == "each_customer […3…]")
    #expect(labels.shortened(name, label: label, ofStep: 1, to: 14) == "each…mer […3…]")
  }

  @Test func `if the same reason prevents many items of a loop from running, the reason is shown only once`() throws {
    var events: [RunEvent] = [
      .runStarted(RunStart(runID: "r", startedAt: 0, steps: Self.steps, dependencies: Self.steps.map { _ in [] }, concurrency: 16))
    ]
    for index in 0..<40 {
      var result = Self.result(1, (index, "\(index)"), .unreachable, url: "", requests: 0, ends: index == 39)
      result.reason = "not sent, because http://h can't be reached: connection refused (detected by `health`)"
      events.append(.stepEnded(result))
    }
    let console = ConsoleHarness()
    try console.run(events + [.runEnded(RunSummary())])
    let text = console.standardOutput.text
    #expect(text.split(separator: "\n").count { $0.hasPrefix("  error: not sent") } == 1)
    #expect(text.contains("  alike     39 further items, for the same reason\n"))
  }
}

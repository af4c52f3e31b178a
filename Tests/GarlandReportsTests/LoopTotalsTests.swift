import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

/// Tests of a loop that was stopped. The items that had not begun are one entry, which counts as their number.
@Suite struct LoopTotalsTests {
  private static var events: [RunEvent] {
    let step = StepIdentity(
      index: 0, id: "each", file: "examples/shop.yaml", workflow: "Loops", summary: nil, tags: [], range: SourceRange(Fixture.shop, 0..<0),
      verb: "GET", target: "/users/${item}", isCleanup: false, isRequest: true, iterationColumns: 4)
    func item(_ index: Int) -> StepResult {
      var result = StepResult(step: step, outcome: .passed, startedAt: .zero, endedAt: .milliseconds(10))
      result.iteration = "\(index)"
      result.iterationIndex = index
      result.endsStep = false
      result.exchanges = [Fixture.exchange("GET", Fixture.base + "/users/\(index)", status: 200, body: "{}")]
      result.omittedRequests = index == 1 ? 40 : 0
      return result
    }
    var left = StepResult(step: step, outcome: .notRun, startedAt: .milliseconds(20), endedAt: .milliseconds(20))
    left.iterationIndex = 2
    left.itemCount = 9_998
    left.reason = "9998 of 10000 items: interrupted by SIGINT"
    // The results are in the order of their ends, and not of the items.
    let results = [item(1), item(0), left]
    var summary = RunSummary()
    for result in results { summary.count(result) }
    summary.wallTime = .milliseconds(50)
    summary.earlyEnd = EarlyEnd(.interrupt, "SIGINT")
    let start = RunStart(runID: "r", startedAt: 0, steps: [step], dependencies: [[]], concurrency: 16)
    return [.runStarted(start)] + results.map { .stepEnded($0) } + [.runEnded(summary)]
  }

  /// Readers of JUnit compare the counts with the number of elements.
  @Test func `if a loop stops early, the JUnit report has one skipped test case for all items that did not run`() throws {
    let folder = try ScratchFolder()
    let reporter = try JUnitReporter(path: "\(folder.path)/r.xml", redactor: Redactor(), hostname: "h")
    for event in Self.events { reporter.receive(event) }
    try reporter.finish()
    let xml = XMLCheck(folder.text("r.xml"))
    #expect(xml.mistakes == [])
    // One more case, in a suite of its own, says that the run ended early.
    #expect(xml["testsuites"].first?.attributes["tests"] == "4" && xml["testsuite"].map { $0.attributes["tests"] } == ["3", "1"])
    #expect(xml["testsuite"].first?.attributes["skipped"] == "1")
    #expect(xml["skipped"].map { $0.attributes["message"] } == ["not run: 9998 of 10000 items: interrupted by SIGINT"])
    // The entry for the remaining items follows the items before it.
    #expect(xml["testcase"].prefix(3).map { $0.attributes["name"] ?? "" } == ["each [0]", "each [1]", "each"])
  }

  @Test func `the number of loop items that did not run is unchanged after the JSON report is written and read`() throws {
    let folder = try ScratchFolder()
    let reporter = try JSONReporter(
      path: "\(folder.path)/r.json", redactor: Redactor(), generator: "garland 1.0", hostname: nil, includesAllBodies: false)
    for event in Self.events { reporter.receive(event) }
    try reporter.finish()
    let text = folder.text("r.json")
    let report = try JSONValue(parsing: text)
    #expect(report["results"]?.arrayValue?.last?["items"]?.intValue == 9_998)
    let recording = try RunRecording(SourceFile(name: "r.json", bytes: Array(text.utf8))) { _ in nil }
    #expect(recording.summary.counts == [.passed: 2, .notRun: 9_998])
    #expect(recording.results.map(\.itemCount) == [1, 1, 9_998] && recording.results.map(\.omittedRequests) == [0, 40, 0])
    #expect(recording.summary.requestCount == 42)
  }

  @Test func `if a loop stops early, the console shows the number of items that did not run`() throws {
    let console = ConsoleHarness()
    try console.run(Self.events)
    #expect(console.standardOutput.text.contains("9,998 not run"))
  }
}

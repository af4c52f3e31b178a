import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

/// Tests of a run in which a quarantined step fails, in every report.
@Suite struct QuarantineReportTests {
  static let step = StepIdentity(
    index: 6, id: "flaky", file: Fixture.shop.name, workflow: "Bookshop smoke test", summary: nil, tags: [],
    range: Fixture.range("flaky:"), action: "GET /flaky", isCleanup: false, isRequest: true, loopLimit: nil,
    quarantine: Quarantine(reason: "The stock service answers late, SHOP-123", until: "2026-12-01"))

  static var events: [RunEvent] {
    var start = Fixture.start
    start.steps[6] = step
    var failed = Fixture.results[5]
    failed.step = step
    let results = [Fixture.results[1], failed]
    var summary = RunSummary()
    for result in results { summary.count(result) }
    summary.wallTime = .milliseconds(40)
    return [.runStarted(start)] + results.map { .stepEnded($0) } + [.runEnded(summary)]
  }

  @Test(arguments: [ReportFormat.junit, .json, .tap, .markdown, .openmetrics])
  func `for a run with a failed quarantined step, each report format matches the golden file`(format: ReportFormat) throws {
    expectGolden(try ReportText.of(format, Self.events), "quarantine.\(format.fileName.split(separator: ".").last ?? "")")
  }

  @Test func `if only a quarantined step fails, the exit status is 0`() {
    var summary = RunSummary()
    for case .stepEnded(let result) in Self.events { summary.count(result) }
    #expect(summary.exitStatus == 0 && summary.quarantined == 1 && summary.allowedFailures == 0)
  }

  @Test func `the quarantine of a step is unchanged after the JSON report is written and read`() throws {
    let text = try ReportText.of(.json, Self.events)
    let recording = try RunRecording(SourceFile(name: "r.json", bytes: Array(text.utf8)))
    #expect(recording.start.steps[6].quarantine == Self.step.quarantine)
    #expect(recording.summary.quarantined == 1)
    var run = RunHistory.Run()
    run.read(Array(text.utf8))
    #expect(run.isComplete && RunHistory([run]).steps.first { $0.id == "flaky" }?.quarantined == 1)
  }
}

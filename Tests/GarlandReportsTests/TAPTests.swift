import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

@Suite struct TAPTests {
  /// Returns the lines that tap.py reads in a report.
  private static func lines(_ events: [RunEvent], secrets: [String] = []) throws -> [JSONValue] {
    let folder = try TemporaryFolder()
    _ = try ReportText.write(.tap, events, to: "\(folder.path)/r.tap", secrets: secrets)
    return try #require(JSONValue(parsing: PythonPackages.read("tap", "\(folder.path)/r.tap")).arrayValue)
  }

  private static func points(_ events: [RunEvent]) throws -> [JSONValue] {
    try lines(events).filter { $0["category"]?.stringValue == "test" }
  }

  @Test func `the TAP report of a run with every outcome matches the golden file`() throws {
    expectGolden(try ReportText.of(.tap, Fixture.allEvents), "report.tap")
  }

  @Test func `the TAP parser tap_py finds a test point for each step, in plan order`() throws {
    let lines = try Self.lines(Fixture.allEvents)
    #expect(lines.first?["version"]?.intValue == 14)
    #expect(lines.dropFirst().first?["count"]?.intValue == 9)
    #expect(!lines.contains { $0["category"]?.stringValue == "unknown" }, "\(lines)")
    let points = lines.filter { $0["category"]?.stringValue == "test" }
    #expect(points.map { $0["number"]?.intValue } == Array(1...9))
    #expect(points.map { $0["ok"]?.boolValue } == [true, false, true, true, false, false, false, true, true])
    #expect(points.map { $0["skip"]?.boolValue } == [false, false, true, true, false, false, false, true, true])
    #expect(points.map { $0["todo"]?.boolValue } == [false, false, false, false, false, false, true, false, false])
    #expect(lines.last?["reason"]?.stringValue == "interrupted by SIGINT")
  }

  @Test func `the parser tap_py reads names, skipped steps and allowed failures from a TAP report about several files`() throws {
    let files = ["a.yaml", "b.yaml"].map { SourceFile(name: "tests/\($0)", bytes: Fixture.shop.bytes) }
    let steps = ["skip_intro", "todo_list", "flaky", "list"].enumerated().map {
      Fixture.step($0.offset, $0.element, "GET /\($0.element)", file: files[$0.offset % 2])
    }
    let outcomes: [Outcome] = [.passed, .failed, .failed, .skipped]
    var results = zip(steps, outcomes).map { StepResult(step: $0, outcome: $1, startedAt: .zero, endedAt: .milliseconds(5)) }
    results[1].iteration = "#todo"
    results[2].isFailureAllowed = true
    let start = RunStart(
      runID: "k3", startedAt: 1_700_000_000, steps: steps, dependencies: Array(repeating: [], count: 4), concurrency: 4)
    let points = try Self.points([.runStarted(start)] + results.map { .stepEnded($0) } + [.runEnded(RunSummary())])
    #expect(
      points.compactMap { $0["description"]?.stringValue.map { String($0.trimmingPrefix("- ")) } } == [
        "a.yaml: skip_intro GET /skip_intro", "b.yaml: todo_list [＃todo] GET /todo_list", "a.yaml: flaky GET /flaky",
        "b.yaml: list GET /list",
      ])
    #expect(points.map { $0["skip"]?.boolValue } == [false, false, false, true])
    #expect(points.map { $0["todo"]?.boolValue } == [false, false, true, false])
  }

  @Test func `the TAP diagnostics of a failure have the expected value, the actual value and the position`() throws {
    let yaml = try Self.points(Fixture.allEvents)[1]["yaml"]
    #expect(yaml?["message"]?.stringValue == "status is 500, expected 201 (and 2 more)")
    #expect(yaml?["at"]?["file"]?.stringValue == "examples/shop.yaml")
    #expect(yaml?["status"]?.intValue == 500)
    #expect(yaml?["duration_ms"]?.intValue == 38)
    #expect(yaml?["failures"]?[0]?["expected"]?.stringValue == "201")
    #expect(yaml?["failures"]?[1]?["help"]?.stringValue == "the body has `error` and `detail`")
    #expect(yaml?["failures"]?[2]?["difference"]?[1]?.stringValue == "-  \"id\": 7,")
  }

  @Test func `names and messages with any characters give valid TAP`() throws {
    var nasty = (1..<0x300).compactMap { Unicode.Scalar($0) }.reduce(into: "") { $0.unicodeScalars.append($1) }
    nasty += "# TODO \\# skip \u{2028}\u{FEFF}\u{FFFE}\u{1F600} --- ..."
    let result = Fixture.result(0, .failed) {
      $0.iteration = nasty
      $0.failures = [CheckFailure(.value, subject: "x", message: nasty, at: nil)]
      $0.failures[0].expected = nasty
    }
    let lines = try Self.lines(ReportText.run([result] + Fixture.results.filter { $0.step.index > 0 }))
    let points = lines.filter { $0["category"]?.stringValue == "test" }
    #expect(points.count == 9 && !lines.contains { $0["category"]?.stringValue == "unknown" })
    #expect(points[0]["todo"]?.boolValue == false && points[0]["skip"]?.boolValue == false)
    #expect(points[0]["yaml"]?["failures"]?[0]?["expected"]?.stringValue == nasty)
  }

  @Test func `a TAP report escapes the reasons for skipped steps and for an early end of the run`() throws {
    let events = ReportText.run([Fixture.result(0, .skipped) { $0.reason = #"a # todo \d"# }]) {
      $0.earlyEnd = EarlyEnd(.failures, ##"the limit \# 1"##)
    }
    let text = try ReportText.of(.tap, events)
    #expect(text.contains(##"ok 1 - health GET /health # SKIP a \# todo \\d"## + "\n"), "\(text)")
    #expect(text.hasSuffix(##"Bail out! the limit \\\# 1"## + "\n"), "\(text)")
  }

  @Test(arguments: ReportText.ends)
  func `if a run does not succeed although no step failed, the TAP report has one failed test point with the reason`(
    end: EarlyEnd?, error: String
  ) throws {
    let failed = try Self.points(ReportText.run(end: end)).filter { $0["ok"] == false && $0["todo"] == false }
    #expect(failed.map { $0["yaml"]?["message"]?.stringValue } == [error])
  }

  @Test func `if a merged run succeeds without the report of a shard, the TAP report says so in a comment`() throws {
    let events = ReportText.run([Fixture.result(0, .passed)]) { $0.earlyEnd = EarlyEnd(.other, "the report of shard 2/3 is missing") }
    #expect(try ReportText.of(.tap, events).hasSuffix("\n# the report of shard 2/3 is missing\n"))
  }

  @Test func `the TAP report of a run that could not start has one failed test point and the line 'Bail out!'`() throws {
    var summary = RunSummary()
    summary.refusal = RunRefusal([Diagnostic("missing-secret", "no value for `TOKEN`", at: nil)], exitStatus: 2)
    summary.earlyEnd = EarlyEnd(.other, "the run did not begin: no value for `TOKEN`")
    let start = RunStart(runID: "", startedAt: 0, steps: [], dependencies: [], concurrency: 0)
    let lines = try Self.lines([.runStarted(start), .runEnded(summary)])
    #expect(lines.contains { $0["ok"]?.boolValue == false && $0["yaml"]?["code"]?.stringValue == "missing-secret" })
    #expect(lines.last?["category"]?.stringValue == "bail")
  }

  @Test func `the TAP report of a run without steps has an empty plan`() throws {
    let start = RunStart(runID: "", startedAt: 0, steps: [], dependencies: [], concurrency: 0)
    let text = try ReportText.of(.tap, [.runStarted(start), .runEnded(RunSummary())])
    #expect(text == "TAP version 14\n1..0 # SKIP no step ran\n")
  }
}

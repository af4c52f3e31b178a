import GarlandDiagnostics
import GarlandResults
import Testing

@testable import GarlandReports

/// Tests of the reason why a merged run ended early.
@Suite struct MergedEndTests {
  /// Returns the recording of a merged run. Each of its shards ran the same step, which passed.
  ///
  /// - Parameters:
  ///   - ends: for each shard with a report, the reason why it ended early; nil if it did not.
  ///   - count: the number of all shards. Reports of the last ones may be missing.
  private static func recording(_ ends: [EarlyEnd?], of count: Int) throws -> RunRecording {
    try ShardMerge(ends.enumerated().map { report($0.offset, of: count, $0.element) }, allowsMissing: true).recording
  }

  /// Returns the report of a shard, whose step passed.
  private static func report(_ index: Int, of count: Int, _ end: EarlyEnd?) -> (name: String, recording: RunRecording) {
    let steps = [Fixture.steps[0]]
    var start = RunStart(runID: "r\(index)", startedAt: 1_795_222_800, steps: steps, dependencies: [[]], concurrency: 16)
    start.shard = RunShard(
      number: index + 1, count: count, profile: nil, division: "p",
      documents: [.init(file: Fixture.shop.name, digest: "d", steps: steps.map(\.id))], variables: [])
    let result = Fixture.result(0, .passed)
    var summary = RunSummary()
    summary.count(result)
    summary.earlyEnd = end
    return (name: "s\(index + 1).json", recording: RunRecording(start, [result], [], summary, hostname: nil, generator: ""))
  }

  private static func merged(_ ends: [EarlyEnd?], of count: Int) throws -> RunSummary { try recording(ends, of: count).summary }

  /// Returns the exit status of a merged run.
  ///
  /// - Parameter outcomes: for each shard, the outcome of its error that belongs to no step; nil without an error.
  private static func status(_ outcomes: [Outcome?]) throws -> Int32 {
    let reports = outcomes.enumerated().map { index, outcome in
      let report = report(index, of: outcomes.count, nil)
      guard let outcome else { return report }
      let error = Diagnostic("undefined", "no value \(index)", at: nil)
      var summary = report.recording.summary
      summary.add(error, outcome)
      return (
        report.name,
        RunRecording(report.recording.start, report.recording.results, [error], summary, hostname: nil, generator: "")
      )
    }
    return try ShardMerge(reports, allowsMissing: false).recording.summary.exitStatus
  }

  /// The events of a merged run that has one interrupted shard, and lacks the reports of two shards.
  private static func interrupted() throws -> [RunEvent] {
    let merged = try recording([EarlyEnd(.interrupt, "SIGTERM")], of: 3)
    return [.runStarted(merged.start)] + merged.results.map { .stepEnded($0) } + [.runEnded(merged.summary)]
  }

  private static let absence = "nterrupted by SIGTERM; the reports of shards 2/3, 3/3 are missing"

  private static let deadline = EarlyEnd(.deadline, "the run reached its deadline of 5 m")
  private static let failures = EarlyEnd(.failures, "3 repetitions failed")

  @Test func `a merged run whose shards ended early for different reasons has the most important reason, with its shard`() throws {
    let summary = try Self.merged([nil, Self.failures, Self.deadline, Self.deadline], of: 4)
    #expect(summary.earlyEnd == EarlyEnd(.deadline, "shard 3/4: the run reached its deadline of 5 m") && summary.exitStatus == 4)
  }

  @Test func `a merged run with an interrupted shard has the exit status of the signal`() throws {
    let summary = try Self.merged([Self.deadline, EarlyEnd(.interrupt, "SIGTERM")], of: 2)
    #expect(summary.earlyEnd == EarlyEnd(.interrupt, "SIGTERM") && summary.exitStatus == 143)
  }

  @Test func `a merged run names the missing report of a shard, and also the reason why another shard ended early`() throws {
    let summary = try Self.merged([Self.failures], of: 2)
    #expect(summary.earlyEnd?.words == "shard 1/2: 3 repetitions failed; the report of shard 2/2 is missing")
    #expect(summary.earlyEnd?.cause == .failures && summary.exitStatus == 1)
  }

  @Test func `a merged run has the worst outcome of the errors that belong to no step in its shards`() throws {
    #expect(try Self.status([.unreachable, nil]) == 3)
    #expect(try Self.status([.error, .failed]) == 1)
  }

  @Test(arguments: [ReportFormat.junit, .tap, .html, .markdown, .har, .otlp, .codeQuality])
  func `a report of a merged run with an interrupted shard also says which shards are missing`(format: ReportFormat) throws {
    let text = try ReportText.of(format, Self.interrupted()).replacing("\\/", with: "/")
    #expect(text.contains(Self.absence), "\(text)")
  }

  @Test func `the console of a merged run with an interrupted shard also says which shards are missing`() throws {
    let console = ConsoleHarness()
    try console.run(Self.interrupted())
    #expect(console.standardOutput.text.contains("I\(Self.absence).\n"), "\(console.standardOutput.text)")
  }

  @Test func `the missing shards of an interrupted merged run are unchanged after its JSON report is written and read`() throws {
    let text = try ReportText.of(.json, Self.interrupted())
    let summary = try RunRecording(SourceFile(name: "m.json", bytes: Array(text.utf8))).summary
    #expect(summary.earlyEnd?.words == "i\(Self.absence)" && summary.exitStatus == 143)
  }

  @Test func `a merged run that lacks only the report of a shard has the exit status 0`() throws {
    let summary = try Self.merged([nil], of: 3)
    #expect(summary.earlyEnd == EarlyEnd(.other, "the reports of shards 2/3, 3/3 are missing") && summary.exitStatus == 0)
  }
}

import GarlandDiagnostics
import GarlandResults
import Testing

@testable import GarlandReports

/// Tests of the warning about shards that did not run at the same time.
@Suite struct ShardPauseTests {
  /// Returns the report of a shard.
  ///
  /// - Parameters:
  ///   - number: the number of the shard, from 1.
  ///   - hours: the start of the shard and its duration, in hours.
  private static func recording(_ number: Int, of count: Int, hours: (start: Int, length: Int)) throws -> RunRecording {
    let steps = [Fixture.steps[0]]
    var start = RunStart(
      runID: "r\(number)", startedAt: 1_795_222_800 + Double(hours.start) * 3_600, steps: steps, dependencies: [[]], concurrency: 16)
    start.shard = RunShard(
      number: number, count: count, profile: nil, division: "p",
      documents: [.init(file: Fixture.shop.name, digest: "d", steps: steps.map(\.id))], variables: [])
    let result = StepResult(step: steps[0], outcome: .passed, startedAt: .zero, endedAt: .milliseconds(2))
    var summary = RunSummary()
    summary.count(result)
    summary.wallTime = .seconds(hours.length * 3_600)
    let text = try ReportText.of(.json, [.runStarted(start), .stepEnded(result), .runEnded(summary)])
    return try RunRecording(SourceFile(name: "s\(number).json", bytes: Array(text.utf8)))
  }

  private static func notices(_ shards: [(start: Int, length: Int)]) throws -> [Diagnostic] {
    let reports = try shards.enumerated().map { index, hours in
      (name: "s\(index + 1).json", recording: try recording(index + 1, of: shards.count, hours: hours))
    }
    return try ShardMerge(reports, allowsMissing: false).recording.notices
  }

  @Test(arguments: [
    [(0, 1), (0, 1)], [(0, 1), (12, 1)], [(0, 1), (13, 1)],
    // Each shard runs after the one before it.
    [(24, 8), (8, 8), (0, 8), (16, 8)],
    // One shard runs while the others wait.
    [(0, 30), (29, 1), (1, 1)],
  ])
  func `reports of shards that ran one after another are merged without a warning`(hours: [(Int, Int)]) throws {
    #expect(try Self.notices(hours.map { (start: $0.0, length: $0.1) }).isEmpty)
  }

  @Test func `a pause of more than 12 hours between shards causes a warning with the names and starts of the first and last shard`()
    throws
  {
    let notices = try Self.notices([(start: 25, length: 1), (start: 0, length: 1), (start: 24, length: 1)])
    #expect(notices.map(\.code) == ["distant-shards"] && notices.map(\.severity) == [.warning])
    #expect(
      notices.first?.message
        == "the reports are probably of different runs: s2.json began at 2026-11-21 01:00:00 UTC, but s1.json at 2026-11-22 02:00:00 UTC")
  }
}

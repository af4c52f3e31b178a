import GarlandResults
import Testing

@testable import GarlandReports

/// Tests of the reason why a merged run ended early.
@Suite struct MergedEndTests {
  /// Returns the summary of a merged run. Each of its shards ran the same step, which passed.
  ///
  /// - Parameters:
  ///   - ends: for each shard with a report, the reason why it ended early; nil if it did not.
  ///   - count: the number of all shards. Reports of the last ones may be missing.
  private static func merged(_ ends: [EarlyEnd?], of count: Int) throws -> RunSummary {
    let steps = [Fixture.steps[0]]
    let reports = ends.enumerated().map { index, end in
      var start = RunStart(runID: "r\(index)", startedAt: 1_795_222_800, steps: steps, dependencies: [[]], concurrency: 16)
      start.shard = RunShard(
        number: index + 1, count: count, profile: nil, partition: "p",
        documents: [.init(file: Fixture.shop.name, digest: "d", steps: steps.map(\.id))], variables: [])
      let result = Fixture.result(0, .passed)
      var summary = RunSummary()
      summary.count(result)
      summary.earlyEnd = end
      return (name: "s\(index + 1).json", recording: RunRecording(start, [result], [], summary, hostname: nil, generator: ""))
    }
    return try ShardMerge(reports, allowsMissing: true).recording.summary
  }

  private static let deadline = EarlyEnd(.deadline, "the run reached its deadline of 5 m")
  private static let failures = EarlyEnd(.failures, "3 repetitions failed")

  @Test func `a merged run whose shards ended early for different reasons has the most important reason, with its shard`() throws {
    let summary = try Self.merged([nil, Self.failures, Self.deadline, Self.deadline], of: 4)
    #expect(summary.earlyEnd == EarlyEnd(.deadline, "shard 3/4: the run reached its deadline of 5 m") && summary.exitStatus == 4)
  }

  @Test func `a merged run with an interrupted shard has the exit status of the signal`() throws {
    let summary = try Self.merged([Self.deadline, EarlyEnd(.interrupt, "SIGTERM")], of: 3)
    #expect(summary.earlyEnd == EarlyEnd(.interrupt, "SIGTERM") && summary.exitStatus == 143)
  }

  @Test func `a merged run names the missing report of a shard, and also the reason why another shard ended early`() throws {
    let summary = try Self.merged([Self.failures], of: 2)
    #expect(summary.earlyEnd == EarlyEnd(.failures, "the report of shard 2/2 is missing; shard 1/2: 3 repetitions failed"))
    #expect(summary.exitStatus == 1)
  }

  @Test func `a merged run that lacks only the report of a shard has the exit status 0`() throws {
    let summary = try Self.merged([nil], of: 3)
    #expect(summary.earlyEnd == EarlyEnd(.other, "the reports of shards 2/3, 3/3 are missing") && summary.exitStatus == 0)
  }
}

import GarlandResults
import Testing

/// Tests of the reason why a run ended early.
@Suite struct EarlyEndTests {
  private static let ends = EarlyEnd.Cause.allCases.map { EarlyEnd($0, "SIGINT") }

  @Test func `of an interrupt and the deadline the interrupt counts, of the deadline and failures the deadline, in any order`() {
    for (place, end) in Self.ends.enumerated() {
      for other in Self.ends[place...] {
        #expect(EarlyEnd.main(of: [end, nil, other]) == end && EarlyEnd.main(of: [other, end]) == end)
      }
    }
  }

  @Test func `of two signals that interrupt a run, the first one determines the exit status`() {
    var summary = RunSummary()
    for signal in ["SIGTERM", "SIGINT"] { summary.endedEarly(EarlyEnd(.interrupt, signal)) }
    #expect(summary.exitStatus == 143)
  }

  @Test func `a run that succeeds has no errors, even if it ended early, such as a merged run without the report of a shard`() {
    var summary = RunSummary()
    summary.earlyEnd = EarlyEnd(.other, "the report of shard 2/3 is missing")
    #expect(summary.errors.isEmpty && summary.exitStatus == 0)
  }
}

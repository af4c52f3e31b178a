import GarlandDiagnostics
import GarlandResults
import Testing

@testable import GarlandReports

/// Tests of the choice of the slowest steps.
@Suite struct SlowestStepsTests {
  private static let label = StepLabel(mask: Mask(Redactor()), namesFile: false)

  /// Returns the names of the slowest of results, each with its step, its item and its time in milliseconds.
  private static func slowest(_ results: [(step: Int, item: Int?, milliseconds: Int)]) -> [String] {
    var slowest = SlowestSteps(limit: 2)
    for entry in results {
      let result = Fixture.result(entry.step, .passed, milliseconds: entry.milliseconds) {
        $0.iteration = entry.item.map { "n=\($0)" }
        $0.iterationIndex = entry.item
      }
      slowest.count(result, label)
    }
    return slowest.entries.map { "\($0.name) \($0.duration)" }
  }

  @Test func `the list of the slowest steps has only the slowest item of each loop`() {
    let names = Self.slowest([(1, 0, 30), (0, nil, 5), (1, 1, 50), (1, 2, 40), (2, nil, 7)])
    #expect(names == ["\(Fixture.steps[1].id) [n=1] 0.05 seconds", "\(Fixture.steps[2].id) 0.007 seconds"])
  }

  @Test func `in the list of the slowest steps, steps with equal durations have the same order as in the plan`() {
    let results: [(Int, Int?, Int)] = [(0, nil, 5), (1, nil, 5), (2, nil, 5)]
    #expect(Self.slowest(results) == Self.slowest(results.reversed()))
    #expect(Self.slowest(results).map { $0.split(separator: " ")[0] } == [Fixture.steps[0].id, Fixture.steps[1].id].map { $0[...] })
  }
}

import GarlandDiagnostics
import GarlandResults

/// The steps, results and events of a run for tests.
enum Sample {
  private static let document = SourceFile(name: "shop.yaml", bytes: [])

  static let steps = ["health", "create", "cover", "list", "late", "remove"].enumerated().map { index, id in
    StepIdentity(
      index: index, id: id, file: document.name, workflow: "Shop", summary: nil, tags: [], range: SourceRange(document, 0..<0),
      action: "GET /\(id)", isCleanup: id == "remove")
  }

  static func result(_ index: Int, _ outcome: Outcome, _ change: (inout StepResult) -> Void = { _ in }) -> StepResult {
    var result = StepResult(step: steps[index], outcome: outcome, startedAt: .zero, endedAt: .milliseconds(12))
    change(&result)
    return result
  }

  static let start = RunStart(
    runID: "k3", startedAt: 1_795_222_800, steps: steps, dependencies: [[], [], [1, 3], [0], [2], [1]], concurrency: 16)

  /// Returns the events of a run in which steps have the given results.
  static func run(_ results: [StepResult], _ change: (inout RunSummary) -> Void = { _ in }) -> [RunEvent] {
    var summary = RunSummary()
    for result in results { summary.count(result) }
    change(&summary)
    return [.runStarted(start)] + results.map { .stepEnded($0) } + [.runEnded(summary)]
  }
}

import GarlandJSON
import GarlandPlanner

/// How long steps took in an earlier run, from its JSON report.
struct PastDurations {
  private struct Name: Hashable {
    var file: String
    var id: String
  }

  private var seconds: [Name: Double] = [:]

  /// - Returns: nil when the text is no report of a run.
  init?(report bytes: [UInt8]) {
    guard let report = try? JSONValue(parsing: bytes), report["format"]?.stringValue?.hasPrefix("garland-report/") == true,
      let results = report["results"]?.arrayValue
    else { return nil }
    for result in results {
      guard let file = result["file"]?.stringValue, let id = result["id"]?.stringValue, let time = result["seconds"]?.doubleValue,
        // Only what was carried out says how long it takes.
        let outcome = result["outcome"]?.stringValue, outcome == "passed" || outcome == "failed"
      else { continue }
      // Iterations of a loop overlap; the longest is what others wait for at least.
      seconds[Name(file: file, id: id)] = max(time, seconds[Name(file: file, id: id)] ?? 0)
    }
  }

  /// Whether nothing is known of any step of a plan.
  func isStranger(to plan: Plan) -> Bool { durations(of: plan).allSatisfy { $0 == nil } }

  /// For each step of a plan, in seconds.
  func durations(of plan: Plan) -> [Double?] {
    plan.steps.map { seconds[Name(file: $0.workflow.file.name, id: $0.step.id)] }
  }

  /// For each step of a plan; those that are not known take as long as the average of the others.
  func weights(of plan: Plan) -> [Double] {
    let durations = durations(of: plan)
    let known = durations.compactMap { $0 }
    let average = known.isEmpty ? 1 : known.reduce(0, +) / Double(known.count)
    return durations.map { $0 ?? average }
  }
}

import GarlandJSON
import GarlandPlanner
import GarlandResults

/// How long steps took in an earlier run, from its JSON report.
struct PastDurations {
  private struct Name: Hashable {
    var file: String
    var id: String
  }

  private var seconds: [Name: Double] = [:]
  private var ends: [Name: Outcome] = [:]

  /// - Returns: nil when the text is no report of a run.
  init?(report bytes: [UInt8]) {
    guard let report = try? JSONValue(parsing: bytes), report["format"]?.stringValue?.hasPrefix("garland-report/") == true,
      let results = report["results"]?.arrayValue
    else { return nil }
    for result in results {
      guard let file = result["file"]?.stringValue, let id = result["id"]?.stringValue,
        let outcome = result["outcome"]?.stringValue.flatMap(Outcome.init)
      else { continue }
      // Of a loop the item that went worst tells how the step ended.
      let name = Name(file: file, id: id)
      ends[name] = ends[name].map { Self.weight($0) >= Self.weight(outcome) ? $0 : outcome } ?? outcome
      // Only what was carried out says how long it takes.
      guard let time = result["seconds"]?.doubleValue, outcome == .passed || outcome == .failed else { continue }
      // Iterations of a loop overlap; the longest is what others wait for at least.
      seconds[Name(file: file, id: id)] = max(time, seconds[Name(file: file, id: id)] ?? 0)
    }
  }

  /// How much an outcome of an item says about the whole loop.
  private static func weight(_ outcome: Outcome) -> Int {
    switch outcome {
    case .skipped: 0
    case .passed: 1
    case .notRun: 2
    case .blocked: 3
    case .unreachable: 4
    case .error: 5
    case .failed: 6
    }
  }

  /// How each step of a plan ended; nil for those that are not known.
  func outcomes(of plan: Plan) -> [Outcome?] {
    plan.steps.map { ends[Name(file: $0.workflow.file.name, id: $0.step.id)] }
  }

  /// Whether the report has no result of any step of a plan.
  func isStranger(to plan: Plan) -> Bool { outcomes(of: plan).allSatisfy { $0 == nil } }

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

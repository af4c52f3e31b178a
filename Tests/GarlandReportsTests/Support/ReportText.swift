import GarlandDiagnostics
import GarlandResults

@testable import GarlandReports

/// Creates reports of recorded runs, in any format.
enum ReportText {
  /// Writes a report of a run and returns its text.
  static func of(
    _ format: ReportFormat, _ events: [RunEvent], secrets: [String] = [], fileName: String? = nil, includesAllBodies: Bool = true
  ) throws -> String {
    let folder = try ScratchFolder()
    return try write(
      format, events, to: "\(folder.path)/\(fileName ?? format.fileName)", secrets: secrets, includesAllBodies: includesAllBodies)
  }

  /// Writes a report of a run to a file and returns its text.
  static func write(
    _ format: ReportFormat, _ events: [RunEvent], to path: String, secrets: [String] = [], includesAllBodies: Bool = true
  ) throws -> String {
    let redactor = Redactor()
    for secret in secrets { redactor.register(secret) }
    let settings = ReportFormat.Settings(
      redactor: redactor, program: "garland", version: "1.0", hostname: "build-7", includesAllBodies: includesAllBodies)
    let reporter = try format.reporter(writingTo: path, settings)
    for event in events { reporter.receive(event) }
    try reporter.finish()
    return ScratchFolder.text(ofFile: path)
  }

  /// Returns a complete run of steps with the given results.
  static func run(_ results: [StepResult], _ change: (inout RunSummary) -> Void = { _ in }) -> [RunEvent] {
    var summary = RunSummary()
    for result in results { summary.count(result) }
    summary.wallTime = .milliseconds(1_252)
    change(&summary)
    return [.runStarted(Fixture.start)] + results.map { .stepEnded($0) } + [.runEnded(summary)]
  }

  /// Reasons for which a run without a failed step does not succeed, and the error about it in reports. Nil stands for a flaky step with
  /// `--fail-flaky`.
  static let ends: [(EarlyEnd?, String)] = [
    (nil, "a step is flaky, which --fail-flaky does not allow"),
    (EarlyEnd(.deadline, "the run reached its deadline of 1 m"), "the run ended early: the run reached its deadline of 1 m"),
    (EarlyEnd(.failures, "3 repetitions failed"), "the run ended early: 3 repetitions failed"),
    (EarlyEnd(.interrupt, "SIGINT"), "the run ended early: interrupted by SIGINT"),
  ]

  /// Returns a run that does not succeed for one of the reasons ``ends``, although no step failed, except as allowed.
  static func run(end: EarlyEnd?) -> [RunEvent] {
    let passed = Fixture.result(0, .passed) { if end == nil { $0.earlier = [Fixture.result(0, .failed)] } }
    return run([passed, Fixture.result(1, .failed) { $0.isFailureAllowed = true }, Fixture.result(2, .notRun)]) {
      $0.earlyEnd = end
      $0.failsWhenFlaky = true
    }
  }
}

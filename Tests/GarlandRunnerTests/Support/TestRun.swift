import GarlandDiagnostics
import GarlandTransfer
import GarlandPlanner
import GarlandResults
import GarlandSandbox
import GarlandWorkflow
import TestSupport
import Testing

@testable import GarlandRunner

/// The result of running a document.
struct TestRun {
  let observer: RecordingObserver
  let report: Run.Report
  let redactor: Redactor

  var summary: RunSummary { report.summary }
  var results: [StepResult] { observer.results }

  func result(_ id: String) throws -> StepResult { try #require(results.first { $0.step.id == id }, "no result of \(id)") }

  /// The outcomes of the steps, each as `id outcome`, in file order.
  var outcomes: [String] {
    results.sorted { $0.step.index < $1.step.index }.map { "\($0.step.id) \($0.outcome.rawValue)" }
  }

  /// Runs a document.
  ///
  /// - Parameters:
  ///   - text: the document.
  ///   - sandbox: the sandbox, whose URL is the value of `${env.SANDBOX}`.
  ///   - folder: the folder that contains the document and its files.
  ///   - configure: changes the configuration.
  ///   - react: receives each event, on the thread of the run.
  static func carryOut(
    _ text: String, _ sandbox: Sandbox? = nil, folder: TemporaryFolder? = nil, detail: RunDetail = .everything,
    configure: (inout RunConfiguration) -> Void = { _ in }, react: (@Sendable (Run, RunEvent) -> Void)? = nil
  ) async throws -> TestRun {
    let preparation = try prepare(text, sandbox, folder: folder, detail: detail, configure: configure)
    let run = try #require(preparation.run, "\(preparation.diagnostics.all.map(\.message))")
    if let react { preparation.observer.react { react(run, $0) } }
    let report = await run.start()
    return TestRun(observer: preparation.observer, report: report, redactor: preparation.redactor)
  }

  struct Prepared {
    let run: Run?
    let diagnostics: DiagnosticList
    let observer: RecordingObserver
    let redactor: Redactor
  }

  static func prepare(
    _ text: String, _ sandbox: Sandbox? = nil, folder: TemporaryFolder? = nil, detail: RunDetail = .everything,
    configure: (inout RunConfiguration) -> Void = { _ in }
  ) throws -> Prepared {
    let folder = try folder ?? TemporaryFolder()
    let plan = try plan(text, folder: folder)
    let observer = RecordingObserver(detail: detail)
    var configuration = configuration(sandbox, folder: folder)
    configuration.observers = [observer]
    configure(&configuration)
    let preparation = Run.prepare(plan, configuration)
    return Prepared(
      run: preparation.run, diagnostics: preparation.diagnostics, observer: observer, redactor: configuration.redactor)
  }

  static func configuration(_ sandbox: Sandbox?, folder: TemporaryFolder) -> RunConfiguration {
    RunConfiguration(
      environment: sandbox.map { ["SANDBOX": $0.url] } ?? [:], workingDirectory: folder.path,
      files: FileAccess(SystemFiles(), roots: [folder.path]))
  }

  static func plan(_ text: String, folder: TemporaryFolder) throws -> Plan {
    let workflow = try Documents.decode(text, folder: folder)
    let result = Planner(workingDirectory: folder.path).plan([workflow])
    return try #require(result.plan, "\(result.diagnostics.all.map(\.message))")
  }
}

/// Runs `body` with a separate sandbox, which stops afterwards.
func withSandbox<Value>(
  _ options: SandboxOptions = SandboxOptions(), _ body: (Sandbox) async throws -> Value
) async throws -> Value {
  try await Sandbox.running(options, body)
}

/// The beginning of most documents in tests.
let prelude = """
  garland: 1
  defaults: { base_url: "${env.SANDBOX}", timeout: 10s }
  steps:

  """

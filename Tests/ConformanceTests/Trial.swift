import GarlandDiagnostics
import GarlandPlanner
import GarlandResults
import GarlandRunner
import Synchronization
import TestSupport

@testable import GarlandWorkflow

/// A case that ran in this process, and the outcomes of its steps.
struct Trial: Hashable, CustomStringConvertible {
  let id: String
  let outcome: String
  let messages: [String]
  /// The requests that were sent: `GET URL 200`.
  let requests: [String]
  var isPassed: Bool { outcome == "passed" }
  var description: String { "\(id) \(outcome) \(messages)" }

  struct Refused: Error, CustomStringConvertible {
    let description: String
    init(_ diagnostics: DiagnosticList) { description = diagnostics.all.map(\.message).joined(separator: "\n") }
  }

  private final class Observer: RunObserver {
    let results = Mutex<[StepResult]>([])
    var detail: RunDetail { [] }
    func receive(_ event: RunEvent) {
      if case .stepEnded(let result) = event { results.withLock { $0.append(result) } }
    }
  }

  /// - Parameters:
  ///   - example: the case; its header is ignored.
  ///   - text: the text in its place.
  ///   - ablation: the feature that is removed from the language.
  ///   - deadline: how long it may take.
  static func run(
    _ example: Conformance.Case, text: String? = nil, without ablation: Ablation? = nil, deadline: Duration? = nil
  ) async throws -> [Trial] {
    let scratch = try TemporaryFolder()
    let files = FileAccess(SystemFiles(), roots: [Conformance.folder, scratch.path])
    var options = WorkflowDecoder.Options(files: files)
    options.ablation = ablation
    let (decoded, diagnostics) = WorkflowDecoder.decode(
      name: example.name, bytes: Array((text ?? example.text).utf8), directory: "\(Conformance.folder)/\(example.topic)", options: options)
    guard let workflow = decoded else { throw Refused(diagnostics) }
    let planned = Planner(workingDirectory: scratch.path, files: SystemFiles()).plan([workflow])
    guard let plan = planned.plan else { throw Refused(planned.diagnostics) }
    let observer = Observer()
    var configuration = RunConfiguration(
      environment: try await Conformance.environment.value, workingDirectory: scratch.path, files: files)
    configuration.observers = [observer]
    configuration.pace.deadline = deadline
    let preparation = Run.prepare(plan, configuration)
    guard let run = preparation.run else { throw Refused(preparation.diagnostics) }
    _ = await run.start()
    let results = observer.results.withLock { $0 }
    return results.sorted { ($0.step.index, $0.iterationIndex ?? 0) < ($1.step.index, $1.iterationIndex ?? 0) }.map { result in
      Trial(
        id: result.step.id, outcome: result.outcome.rawValue, messages: result.failures.map { "\($0.subject) \($0.message)" },
        requests: result.exchanges.flatMap(\.hops).map { "\($0.method) \($0.url) \($0.status ?? 0)" })
    }
  }
}

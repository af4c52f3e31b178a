import GarlandPlanner
import GarlandSandbox
import GarlandWorkflow
import TestSupport
import Testing

@testable import GarlandRunner

/// The examples of the repository, in random valid orders: were a dependency missing, some order would show it.
@Suite("Examples in any order")
struct ExampleTests {
  @Test(arguments: ["quickstart.yaml", "bookshop.yaml", "encodings.yaml"])
  func anyOrderPasses(name: String) async throws {
    let examples = Repository.path("examples")
    let files = SystemFiles()
    for seed in 0..<4 {
      // A world of its own for each order.
      try await withSandbox { sandbox in
        let folder = try TemporaryFolder()
        let bytes = try files.read("\(examples)/\(name)", limit: 1 << 20)
        let access = FileAccess(files, roots: [examples, folder.path])
        let (workflow, diagnostics) = WorkflowDecoder.decode(name: name, bytes: bytes, directory: examples, options: .init(files: access))
        let document = try #require(workflow, "\(diagnostics.all.map(\.message))")
        let plan = try #require(Planner(workingDirectory: folder.path).plan([document]).plan)
        var configuration = RunConfiguration(
          environment: ["GARLAND_SANDBOX": sandbox.url], workingDirectory: folder.path, files: access)
        configuration.shuffleSeed = UInt64(seed)
        configuration.isSerial = seed.isMultiple(of: 2)
        let observer = RecordingObserver()
        configuration.observers = [observer]
        let run = try #require(Run.prepare(plan, configuration).run)
        let report = await run.start()
        let failures = observer.results.filter { $0.outcome != .passed }.map { "\($0.step.id): \($0.reason ?? "") \($0.failures)" }
        #expect(report.summary.exitStatus == 0 && failures.isEmpty, "seed \(seed): \(failures)")
      }
    }
  }
}

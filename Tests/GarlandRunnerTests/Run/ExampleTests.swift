import GarlandPlanner
import GarlandSandbox
import TestSupport
import Testing

@testable import GarlandRunner

/// Runs the examples of the repository in random valid orders. A missing dependency would make some order fail.
@Suite("Examples in any order", .timeLimit(.minutes(15)))
struct ExampleTests {
  @Test(arguments: Examples.all)
  func `each example of the repository passes in any order of its steps that the dependencies allow`(names: [String]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seed in 0..<Examples.orders(of: names) {
        // Examples mostly wait, so many of them run at once.
        if seed >= 8 { try await group.next() }
        group.addTask { try await passes(names, UInt64(seed)) }
      }
      try await group.waitForAll()
    }
  }

  private func passes(_ names: [String], _ seed: UInt64) async throws {
    // Each order has its own sandbox.
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      let access = Examples.files(writingTo: folder)
      let plan = try Examples.plan(names, access, writingTo: folder)
      var configuration = RunConfiguration(
        environment: ["GARLAND_SANDBOX": sandbox.url], workingDirectory: folder.path, files: access)
      configuration.pace.shuffleSeed = seed
      configuration.pace.isSerial = seed.isMultiple(of: 4)
      let observer = RecordingObserver()
      configuration.observers = [observer]
      let run = try #require(Run.prepare(plan, configuration).run)
      let report = await run.start()
      let failures = observer.results.filter { $0.outcome != .passed && $0.outcome != .skipped }.map {
        "\($0.step.id): \($0.reason ?? "") \($0.failures)"
      }
      #expect(report.summary.exitStatus == 0 && failures.isEmpty, "seed \(seed): \(failures)")
      #expect(Set(observer.results.map(\.step.index)).count == plan.steps.count)
    }
  }
}

import GarlandJSON
import GarlandTransfer
import GarlandSandbox
import Synchronization
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests that everything that a stopped suite has created on the server is removed again.
@Suite("The leftovers of a stopped run", .timeLimit(.minutes(15)))
struct LeftoverTests {
  private static func holdings(of sandbox: Sandbox) async throws -> [JSONValue] {
    let state = try await Engine().response(for: TransferRequest(url: "\(sandbox.url)/_sandbox/state")).bytes
    let tenant = try #require(try JSONValue(parsing: state)["tenant"])
    let counts = try ["books", "orders", "jobs"].map { try #require(tenant[$0]) }
    return try counts + [#require(tenant["tokens"]?["live"])]
  }

  /// Interrupts the run after each step of the shop in turn, while other steps are in progress.
  @Test(arguments: [false, true])
  func `if a run is interrupted after any step, no data of the run remains on the server`(serially: Bool) async throws {
    let folder = try TemporaryFolder()
    let access = Examples.files(writingTo: folder)
    let plan = try Examples.plan(["shop"], access, writingTo: folder)
    #expect(plan.steps.count >= 60)
    try await withThrowingTaskGroup(of: Void.self) { group in
      // `make test` interrupts the run in order after the even steps, and the concurrent run after the odd ones.
      let counts = (1...plan.steps.count).filter { DeepTests.areRun || $0.isMultiple(of: 2) == serially }
      for (index, count) in counts.enumerated() {
        if index >= 8 { try await group.next() }
        group.addTask {
          try await withSandbox { sandbox in
            let before = try await Self.holdings(of: sandbox)
            var configuration = RunConfiguration(
              environment: ["GARLAND_SANDBOX": sandbox.url], workingDirectory: folder.path, files: access)
            configuration.pace.isSerial = serially
            configuration.pace.shuffleSeed = UInt64(count)
            let observer = RecordingObserver()
            configuration.observers = [observer]
            let run = try #require(Run.prepare(plan, configuration).run)
            let ended = Atomic<Int>(0)
            observer.react { event in
              guard case .stepEnded = event else { return }
              if ended.add(1, ordering: .relaxed).newValue == count { run.interrupt(signal: "SIGINT") }
            }
            let report = await run.start()
            #expect(report.summary.exitStatus == 130)
            #expect(try await Self.holdings(of: sandbox) == before, "stopped after \(count) steps")
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

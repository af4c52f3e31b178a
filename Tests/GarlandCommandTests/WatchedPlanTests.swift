import TestSupport
import Testing

@testable import garland

/// Tests of the state of the watched files that `garland run --watch` keeps.
@Suite(.timeLimit(.minutes(15))) struct WatchedPlanTests {
  /// A document with a step, whose size in bytes grows with `number`.
  private static func document(_ number: Int) -> String {
    "garland: 1\nsteps: { a: { get: \"http://127.0.0.1/\(String(repeating: "a", count: number))\" } }\n"
  }

  @Test func `if a document changes while --watch reads it, --watch finds the change when it reads the document again`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.yaml", Self.document(0))
    let command = try RunCommand.parse([path])
    var plan = WatchedPlan(command, earlier: nil)
    for number in 1...200 {
      let writing = Task.detached {
        for _ in 0..<(number * 7) { await Task.yield() }
        try folder.write("a.yaml", Self.document(number))
      }
      let meanwhile = WatchedPlan(command, earlier: plan)
      _ = try await writing.value
      plan = WatchedPlan(command, earlier: meanwhile)
      let differs = plan.scope(of: [path], since: meanwhile) != .nothing
      #expect(!differs || plan.changes(since: meanwhile) == [path], "change \(number)")
    }
  }
}

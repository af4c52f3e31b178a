import FoundationEssentials
import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

/// Tests of the pages of large runs, as part of `make test-deep`.
@Suite(.serialized, .timeLimit(.minutes(30)), .enabled(if: DeepTests.areRun))
struct HTMLSpeedTests {
  private static let document = SourceFile(name: "large.yaml", bytes: Array("steps:\n  step:\n    get: /things\n".utf8))

  /// Returns a run with the given number of steps. Each has header fields and a body of 1 KiB that compresses badly, and one of 97 failed.
  private static func events(_ count: Int) -> [RunEvent] {
    let range = SourceRange(document, 9..<13)
    let steps = (0..<count).map { index in
      StepIdentity(
        index: index, id: "step_\(index)", file: "part-\(index / 500).yaml", workflow: "Large", summary: nil, tags: ["smoke"], range: range,
        action: "GET /things/\(index)", isCleanup: false)
    }
    var start = RunStart(
      runID: "large", startedAt: 1_795_222_800, steps: steps, dependencies: steps.map { $0.index % 7 == 0 ? [] : [$0.index - 1] },
      concurrency: 16)
    start.sources = steps.map { _ in StepDefinition(SourceRange(document, 9..<document.bytes.count)) }
    var random = SeededRandom(seed: 7)
    let results = steps.map { step -> RunEvent in
      var result = StepResult(
        step: step, outcome: step.index % 97 == 5 ? .failed : .passed, startedAt: .milliseconds(step.index * 4),
        endedAt: .milliseconds(step.index * 4 + 30))
      let body =
        #"{"id":\#(step.index),"noise":"\#((0..<1_000).map { _ in String(UnicodeScalar(UInt8.random(in: 97...122, using: &random))) }.joined())"}"#
      result.exchanges = [Fixture.exchange("GET", "http://h/things/\(step.index)", status: 200, body: body, milliseconds: 28)]
      if result.outcome == .failed { result.failures = [CheckFailure(.expectation, subject: "json $.id", message: "is wrong", at: range)] }
      return .stepEnded(result)
    }
    return [.runStarted(start)] + results
  }

  @Test func `an HTML page with 10,000 steps has at most 20 MB and opens in less than 2 seconds`() async throws {
    let page = try await HTMLPage(Self.events(10_000), unpacks: false)
    #expect(page.text.utf8.count < 20_000_000)
    let speed = try await page.look("speed")["speed"]
    #expect(try #require(speed?["opened"]?.doubleValue) < 2)
  }

  @Test func `an HTML page with 100,000 steps opens and shows the last step`() async throws {
    let found = try await HTMLPage(Self.events(100_000), unpacks: false).look("speed")
    #expect(found["speed"]?["rows"] == "5.2e+06px" && found["messages"] == [])
  }
}

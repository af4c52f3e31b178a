import GarlandDiagnostics
import GarlandResults
import Testing

@testable import GarlandReports

/// Tests of the table with one line for each result.
@Suite struct StepTableTests {
  private static func table(width: Int, target: String) -> (table: StepTable, step: StepIdentity) {
    let step = StepIdentity(
      index: 0, id: "list_all_books", file: "a.yaml", workflow: "A", summary: nil, tags: [], range: SourceRange(Fixture.shop, 0..<0),
      verb: "GET", target: target, isCleanup: false, isRequest: true, iterationColumns: 0)
    let label = StepLabel(mask: Mask(Redactor()), namesFile: false)
    return (StepTable(steps: [step], label: label, glyphs: .unicode, width: width), step)
  }

  @Test(arguments: [(100, "status is 404, expected 200"), (80, "status is 404, ex…")])
  func `in a terminal of 80 or 100 columns, a long URL leaves room for the reason of a failure`(width: Int, reason: String) {
    let target = "/books?" + String(repeating: "page=1&", count: 20)
    let (table, step) = Self.table(width: width, target: target)
    var result = StepResult(step: step, outcome: .failed, startedAt: .zero, endedAt: .milliseconds(12))
    result.exchanges = [Fixture.exchange("GET", Fixture.base + target, status: 404)]
    result.reason = "status is 404, expected 200"
    let line = table.line(result).plain
    #expect(line.hasSuffix("  404     12 ms  \(reason)"), "\(line)")
  }

  @Test func `the console line of a flaky step begins with the symbol for flaky steps`() {
    let (table, step) = Self.table(width: 100, target: "/books")
    var result = StepResult(step: step, outcome: .passed, startedAt: .zero, endedAt: .milliseconds(12))
    result.earlier = [StepResult(step: step, outcome: .failed, startedAt: .zero, endedAt: .milliseconds(3))]
    #expect(table.line(result).plain.hasPrefix("↻ list_all_books  GET /books"))
  }
}

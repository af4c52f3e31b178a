import GarlandDiagnostics
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

@Suite struct MarkdownTests {
  @Test func `the heading of a run whose only error belongs to no step has the message of this error`() throws {
    let error = Diagnostic("undefined", "the value is undefined", at: nil)
    let events = ReportText.run([Fixture.result(0, .passed)]) { $0.add(error, .failed) }
    #expect(try ReportText.of(.markdown, events).hasPrefix("## ❌ All passed, but the value is undefined\n"))
  }

  @Test func `the Markdown report of a run with every outcome matches the golden file`() throws {
    expectGolden(try ReportText.of(.markdown, Fixture.allEvents), "report.md")
  }

  @Test func `the Markdown report does not depend on the order in which steps end`() throws {
    var events = Fixture.allEvents
    events.swapAt(2, 9)
    events.swapAt(1, 7)
    #expect(try ReportText.of(.markdown, events) == ReportText.of(.markdown, Fixture.allEvents))
  }

  /// A hostile text from a server or a document, which must not become HTML or Markdown.
  private static let nasty = "a|b `code` @octocat #12 <img src=x> [x](http://evil.example) www.evil.example \\| *b* :tada: ```"

  @Test func `in the Markdown report, a name with pipes, backticks, HTML, links and mentions appears as plain text`() throws {
    let result = Fixture.result(0, .failed, milliseconds: 900) {
      $0.iteration = Self.nasty
      $0.exchanges = [Fixture.exchange("GET", "http://h/" + Self.nasty, status: 500, body: Self.nasty)]
      $0.failures = [CheckFailure(.value, subject: Self.nasty, message: Self.nasty, at: nil)]
    }
    let text = try ReportText.of(.markdown, ReportText.run([result] + Fixture.results.dropFirst(2)))
    var fence: Substring?
    for line in text.split(separator: "\n") {
      if let open = fence {
        if line == open { fence = nil }
        continue
      }
      if line.hasPrefix("```") {
        fence = line.prefix { $0 == "`" }
        continue
      }
      // Outside of code, no character of the text may be markup.
      let words = line.replacing(/`[^`]*`/, with: "")
      for sign in ["@octocat", "<img", "[x]", "http://", "www.evil", "*b*", ":tada:", "`"] { #expect(!words.contains(sign), "\(line)") }
      // The rows of the slowest steps have three cells.
      if line.hasSuffix(" ms |") || line.hasSuffix(" s |") { #expect(line.count { $0 == "|" } == 4, "\(line)") }
    }
    #expect(fence == nil)
  }

  @Test func `in the Markdown report, the fence of a code block is longer than any fence inside the block`() {
    #expect(MarkdownText.block(["a", "````b"]) == "`````text\na\n````b\n`````\n")
  }

  @Test func `the Markdown report of 20,000 failures has at most 1 MiB and says how many are omitted`() throws {
    let results = (0..<20_000).map { index in
      Fixture.result(1, .failed, from: index, milliseconds: 1) {
        $0.iteration = "n=\(index)"
        $0.iterationIndex = index
        $0.endsStep = index == 19_999
        $0.failures = [CheckFailure(.expectation, subject: "status", message: "is 500, expected 201", at: nil)]
      }
    }
    let text = try ReportText.of(.markdown, ReportText.run(results))
    #expect(text.utf8.count <= 1 << 20)
    #expect(text.utf8.count > 900_000)
    let shown = text.split(separator: "<summary>").count - 1
    #expect(text.contains("… and \(Readable.count(20_000 - shown)) more failures"))
    #expect(text.contains("### Slowest"))
  }

  @Test func `the Markdown report masks a secret in a failure`() throws {
    let text = try ReportText.of(.markdown, Fixture.allEvents, secrets: ["out of stock"])
    #expect(!text.contains("out of stock"))
    #expect(text.contains("***"))
  }

  @Test func `the Markdown report of a run that could not start shows its diagnostics`() throws {
    var summary = RunSummary()
    summary.refusal = RunRefusal([Diagnostic("missing-secret", "no value for `TOKEN`", at: Fixture.range("create:"))], exitStatus: 2)
    let start = RunStart(runID: "", startedAt: 1_795_222_800, steps: [], dependencies: [], concurrency: 0)
    let text = try ReportText.of(.markdown, [.runStarted(start), .runEnded(summary)])
    #expect(text.contains("## ❌ The run did not begin"))
    #expect(text.contains("error[missing-secret]: no value for `TOKEN`"))
  }

  /// Returns a file to whose previous content a summary was appended.
  private static func appended(to before: String, _ events: [RunEvent]) throws -> String {
    let folder = try TemporaryFolder()
    let path = try folder.write("summary.md", before)
    let reporter = MarkdownReporter(appendingTo: path, redactor: Redactor(), hostname: "build-7")
    for event in events { reporter.receive(event) }
    try reporter.finish()
    return String(decoding: try folder.read("summary.md"), as: UTF8.self)
  }

  @Test func `a job summary is appended to the existing text of its file`() throws {
    let report = try ReportText.of(.markdown, Fixture.allEvents)
    #expect(try Self.appended(to: "before\n", Fixture.allEvents) == "before\n" + report)
  }

  @Test func `the job summary for GitHub Actions is shortened or omitted if its file would exceed 1 MiB`() throws {
    let full = String(repeating: "x", count: (1 << 20) - 1_000)
    let text = try Self.appended(to: full, Fixture.allEvents)
    #expect(text.utf8.count > full.utf8.count && text.utf8.count <= 1 << 20)
    #expect(try Self.appended(to: full + full, Fixture.allEvents) == full + full)
  }

  @Test func `a job summary that can't be written gives a warning`() throws {
    let reporter = MarkdownReporter(appendingTo: "/dev/null/x", redactor: Redactor(), hostname: nil)
    for event in Fixture.greenEvents { reporter.receive(event) }
    do throws(ReportError) {
      try reporter.finish()
      Issue.record("nothing was thrown")
    } catch {
      #expect(error.isWarning)
      #expect("\(error)" == "no job summary: /dev/null/x cannot be written: Not a directory")
    }
  }
}

import GarlandDiagnostics
import GarlandResults
import Testing

@testable import GarlandReports

/// Tests of the table with one line for each result.
@Suite struct StepTableTests {
  private static func step(_ id: String, _ target: String, iteration columns: Int = 0) -> StepIdentity {
    StepIdentity(
      index: 0, id: id, file: "a.yaml", workflow: "A", summary: nil, tags: [], range: SourceRange(Fixture.shop, 0..<0),
      verb: "GET", target: target, isCleanup: false, isRequest: true, iterationColumns: columns)
  }

  /// Returns the result of a step with a single request.
  private static func result(
    _ id: String = "list_books", _ target: String = "/books", _ outcome: Outcome = .passed, status: Int = 200
  ) -> StepResult {
    var result = StepResult(step: step(id, target), outcome: outcome, startedAt: .zero, endedAt: .milliseconds(12))
    result.exchanges = [Fixture.exchange("GET", Fixture.base + target, status: status)]
    return result
  }

  /// Returns the line of a result in a table whose only step is that of the result.
  private static func line(
    _ result: StepResult, width: Int? = nil, glyphs: Glyphs = .unicode, _ colors: StyledText.ColorMode = .plain, secrets: [String] = []
  ) -> String {
    let redactor = Redactor()
    for secret in secrets { redactor.register(secret) }
    let label = StepLabel(mask: Mask(redactor), namesFile: false)
    var row = RowBuilder()
    StepTable(steps: [result.step], label: label, glyphs: glyphs, width: width).write(result, LoopLabels(), colors, to: &row)
    return String(decoding: row.bytes, as: UTF8.self)
  }

  @Test(arguments: [(100, "status is 404, expected 200"), (80, "status is 404, ex…")])
  func `in a terminal of 80 or 100 columns, a long URL leaves room for the reason of a failure`(width: Int, reason: String) {
    var result = Self.result("list_all_books", "/books?" + String(repeating: "page=1&", count: 20), .failed, status: 404)
    result.reason = "status is 404, expected 200"
    let line = Self.line(result, width: width)
    #expect(line.hasSuffix("  404     12 ms  \(reason)"), "\(line)")
  }

  @Test func `the console line of a flaky step begins with the symbol for flaky steps`() {
    var result = Self.result()
    result.earlier = [StepResult(step: result.step, outcome: .failed, startedAt: .zero, endedAt: .milliseconds(3))]
    #expect(Self.line(result, width: 100).hasPrefix("↻ list_books  GET /books"))
  }

  @Test func `the line of a passed step has a column each for the name, the request, the status and the duration`() {
    #expect(Self.line(Self.result()) == "✓ list_books  GET /books  200     12 ms")
  }

  @Test func `a coloured line has the same text as a plain line, with a control sequence before and after each styled part`() {
    #expect(
      Self.line(Self.result(), .ansi16)
        == "\u{1B}[32m✓\u{1B}[0m list_books\u{1B}[2m  GET /books\u{1B}[0m\u{1B}[32m  200\u{1B}[0m\u{1B}[2m     12 ms\u{1B}[0m")
  }

  @Test func `neighbouring parts of a line with the same style share one control sequence`() {
    var result = Self.result("list_books", "/books", .skipped)
    result.exchanges = []
    #expect(Self.line(result, .ansi16) == "\u{1B}[2m○ list_books  GET /books  skipped\u{1B}[0m")
  }

  @Test func `the name of a loop item that is wider than half of the terminal is cut in its middle`() {
    var result = Self.result("each", "/users/7")
    result.iteration = "name=a customer with a very long name"
    #expect(Self.line(result, width: 60) == "✓ each [name=a c…ry long name]    200     12 ms")
  }

  @Test func `a request that is wider than its column is cut in its middle`() {
    #expect(Self.line(Self.result("list", "/books/of/all/the/authors/7"), width: 50) == "✓ list  GET /books/of…he/authors/7  200     12 ms")
  }

  @Test func `a line that is too wide for a narrow terminal is cut at its end`() {
    #expect(Self.line(Self.result(), width: 24) == "✓ list_books  200     …")
  }

  @Test func `a cut coloured line has the text of the cut plain line and ends with the control sequence that ends a style`() {
    #expect(
      Self.line(Self.result(), width: 24, .ansi16)
        == "\u{1B}[32m✓\u{1B}[0m list_books\u{1B}[32m  200\u{1B}[0m\u{1B}[2m     …\u{1B}[0m")
  }

  @Test func `columns after wide characters and combining marks are aligned with those of ASCII text`() {
    for id in ["日本", "e\u{301}tés", "👩‍👩‍👧so"] {
      #expect(Self.line(Self.result(id, "/books")) == "✓ \(id)  GET /books  200     12 ms")
    }
  }

  @Test func `with the symbols for ASCII terminals, the line of a step contains only ASCII`() {
    #expect(Self.line(Self.result(), glyphs: .ascii) == "+ list_books  GET /books  200     12 ms")
  }

  @Test func `in the line of a passed step, a secret in the URL is masked`() {
    let result = Self.result("list", "/books?token=s3cr3t-token")
    #expect(Self.line(result, secrets: ["s3cr3t-token"]).hasPrefix("✓ list  GET /books?token=\(Redactor.mask)  "))
  }

  @Test(
    arguments: [
      ("https://h/books?a", "/books?a"), ("https://h", "https://h"), ("https://h/", "/"), ("https:/x", "https:/x"),
      ("mailto:a/b", "mailto:a/b"), ("", ""), ("https://[::1]:80/books", "/books"), ("https://h:1//books", "//books"),
    ])
  func `if the workflow file gives the URL of a step as a path, its line omits the scheme and the host of the URL`(
    url: String, shown: String
  ) {
    var result = Self.result()
    result.exchanges = [Fixture.exchange("GET", url, status: 200)]
    #expect(StepLabel(mask: Mask(Redactor()), namesFile: false).action(result) == "GET \(shown)")
  }
}

import GarlandDiagnostics
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

@Suite struct ConsoleTests {
  @Test func `output to a pipe lists the steps in plan order, without colours`() throws {
    let console = ConsoleHarness()
    try console.run(Fixture.allEvents)
    expectGolden(console.standardOutput.text, "pipe.txt")
    #expect(!console.standardOutput.text.contains("\u{1B}"))
    expectGolden(console.standardError.text, "pipe-stderr.txt")
  }

  @Test func `if output goes to a pipe and all steps pass, nothing is written to standard error`() throws {
    let console = ConsoleHarness()
    try console.run(Fixture.greenEvents)
    expectGolden(console.standardOutput.text, "pipe-green.txt")
    #expect(console.standardError.text == "")
  }

  @Test(arguments: [ConsoleOptions.Verbosity.normal, .quiet])
  func `a file that the run could not write is reported after the list of steps`(verbosity: ConsoleOptions.Verbosity) throws {
    var options = ConsoleOptions()
    options.verbosity = verbosity
    let console = ConsoleHarness(options)
    let error = Diagnostic("cookie-file", "the cookie file jar.txt could not be written: no room", at: nil).help(
      "not saved: the cookies `a`")
    var summary = Fixture.summary
    summary.runErrors = [error]
    let events = Fixture.greenEvents.filter { if case .runEnded = $0 { false } else { true } }
    try console.run(events + [.notice(error), .runEnded(summary)])
    let lines = console.standardOutput.text.split(separator: "\n").map(String.init)
    let place = try #require(lines.firstIndex { $0.contains("the cookie file jar.txt could not be written: no room") })
    #expect(lines[..<place].count { $0.contains("PUT") } == (verbosity == .quiet ? 0 : 1))
    #expect(lines[place...].contains { $0.contains("not saved: the cookies `a`") })
    #expect(console.standardError.text == "")
  }

  @Test func `the console shows the steps in the same order, whatever the order in which they end`() throws {
    let first = ConsoleHarness()
    try first.run(Fixture.allEvents)
    let second = ConsoleHarness()
    // A blocked step always ends after the step that blocks it.
    var results = Fixture.results
    results.swapAt(0, 6)
    results.swapAt(1, 8)
    try second.run([.runStarted(Fixture.start)] + results.map { .stepEnded($0) } + [.runEnded(Fixture.summary)])
    func stepLines(_ console: ConsoleHarness) -> [Substring] {
      Array(console.standardOutput.text.split(separator: "\n", omittingEmptySubsequences: false).prefix(Fixture.steps.count + 1))
    }
    #expect(stepLines(first) == stepLines(second))
  }

  @Test func `the printed command that repeats failed steps lists them in plan order, whatever the order in which they end`() throws {
    let results = [8, 1, 4].map { Fixture.result($0, .failed) }
    for results in [results, results.reversed()] {
      let console = ConsoleHarness()
      try console.run(ReportText.run(results))
      #expect(console.standardOutput.text.contains("  garland run examples/shop.yaml create slow late\n"), "\(console.standardOutput.text)")
    }
  }

  @Test(arguments: [40, 80, 120]) func `on a terminal without a live view, lines are cut to the terminal's width`(width: Int) throws {
    var options = ConsoleOptions()
    options.isLive = false
    let console = ConsoleHarness(options, width: width)
    try console.run(Fixture.allEvents)
    expectGolden(console.standardOutput.text, "terminal-\(width).txt")
    // Failures are shown completely, and the terminal wraps them; other lines are shortened to one row.
    for line in console.standardOutput.text.split(separator: "\n", omittingEmptySubsequences: false).prefix(Fixture.steps.count + 1) {
      #expect(DisplayWidth.of(String(line)) < width, "\(line)")
    }
  }

  @Test func `a quiet console shows only problems and the summary`() throws {
    var options = ConsoleOptions()
    options.verbosity = .quiet
    let console = ConsoleHarness(options)
    try console.run(Fixture.allEvents)
    expectGolden(console.standardOutput.text, "quiet.txt")
  }

  @Test func `a quiet console shows only the summary if all steps pass`() throws {
    var options = ConsoleOptions()
    options.verbosity = .quiet
    let console = ConsoleHarness(options)
    try console.run(Fixture.greenEvents)
    #expect(console.standardOutput.text == "3 passed\n3 requests in 14 ms, 1.1× faster than one after another (16 ms)\n")
  }

  @Test func `a verbose console shows requests and responses with their times`() throws {
    var options = ConsoleOptions()
    options.verbosity = .verbose
    let console = ConsoleHarness(options)
    try console.run(Fixture.allEvents)
    expectGolden(console.standardOutput.text, "verbose.txt")
  }

  @Test(arguments: ConsoleOptions.Show.allCases)
  func `each value of --show adds one part of the request or response to the output`(_ show: ConsoleOptions.Show) throws {
    var options = ConsoleOptions()
    options.show = show
    let console = ConsoleHarness(options)
    try console.run(Fixture.greenEvents)
    expectGolden(console.standardOutput.text, "show-\(show.rawValue).txt")
  }

  @Test func `the escape sequences of a console with colours match the golden file`() throws {
    var options = ConsoleOptions()
    options.isLive = false
    options.show = .body
    let console = ConsoleHarness(options, width: 100, colors: .ansi16)
    try console.run(Fixture.allEvents)
    expectGolden(
      console.standardOutput.text.split(separator: "\u{1B}", omittingEmptySubsequences: false).joined(separator: "^"), "colours.txt")
  }

  @Test func `a console without Unicode writes only ASCII`() throws {
    var options = ConsoleOptions()
    options.isUnicode = false
    let console = ConsoleHarness(options)
    try console.run(Fixture.greenEvents)
    #expect(console.standardOutput.text.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test func `on GitHub Actions, the console writes each failure as an annotation`() throws {
    let console = ConsoleHarness(ConsoleOptions(environment: ["GITHUB_ACTIONS": "true", "CI": "true", "TERM": "dumb"]))
    try console.run(Fixture.allEvents)
    expectGolden(console.standardOutput.text, "github.txt")
  }

  @Test func `with --verbose on GitHub Actions, each step is a group of lines, whose title has no codes for colours`() throws {
    var options = ConsoleOptions(environment: ["GITHUB_ACTIONS": "true"])
    options.verbosity = .verbose
    let console = ConsoleHarness(options, colors: .ansi16)
    try console.run(Fixture.greenEvents)
    let titles = console.standardOutput.text.split(separator: "\n").filter { $0.hasPrefix("::group::") }
    #expect(titles.count == 3 && titles.allSatisfy { !$0.contains("\u{1B}") }, "\(titles)")
  }

  @Test func `text from a server cannot form a GitHub Actions command such as '::error::' in the console output`() throws {
    var options = ConsoleOptions(environment: ["GITHUB_ACTIONS": "true"])
    options.verbosity = .verbose
    options.show = .all
    let console = ConsoleHarness(options)
    let evil = "::error file=a::x\n  ::stop-commands::t\n##[add-path]/tmp\n"
    var result = Fixture.result(0, .failed) {
      $0.exchanges = [Fixture.exchange("GET", "http://h/::error::", status: 500, type: "text/plain", body: evil)]
      $0.exchanges[0].hops[0].responseFields.append(.init("::error::x", "##[error]y"))
      $0.failures = [CheckFailure(.expectation, subject: "::error::", message: "a\n::error::b", at: nil)]
      $0.failures[0].excerpt = evil
      $0.failures[0].expected = evil
      $0.failures[0].actual = evil
      $0.failures[0].difference = []
    }
    result.reason = "::error::reason"
    try console.run([.runStarted(Fixture.start), .stepEnded(result)])
    for line in console.standardOutput.text.split(separator: "\n") {
      #expect(!line.contains("##["))
      let trimmed = line.drop { $0 == " " }
      guard trimmed.hasPrefix("::") else { continue }
      #expect(
        trimmed.hasPrefix("::group::") || trimmed.hasPrefix("::endgroup::") || trimmed.hasPrefix("::error file=examples/shop.yaml,line="))
    }
  }

  @Test func `if a run prints only one response body, all other output goes to standard error`() throws {
    var options = ConsoleOptions()
    options.show = .body
    options.bodyAloneOf = "create"
    let piped = ConsoleHarness(options)
    try piped.run(Fixture.greenEvents)
    #expect(piped.standardOutput.text == #"{"id":7}"#)
    #expect(piped.standardError.text.contains("passed"))

    options.isLive = false
    let terminal = ConsoleHarness(options, width: 80)
    try terminal.run(Fixture.greenEvents)
    #expect(terminal.standardOutput.text == "{\n  \"id\": 7\n}\n")

    let failing = ConsoleHarness(options)
    try failing.run(Fixture.allEvents)
    #expect(failing.standardOutput.text == #"{"error":"out of stock","detail":{"warehouse":3,"left":[]}}"#)
    #expect(failing.standardError.text.contains("status is 500, expected 201"))
  }

  @Test func `if a run has steps from several files, the console shows the steps of each file below a heading`() throws {
    let other = SourceFile(name: "examples/auth.yaml", bytes: Array("steps:\n  login:\n    post: /token\n".utf8))
    let steps = [
      Fixture.step(0, "login", "POST /token", file: other, workflow: "auth"),
      Fixture.step(1, "health", "GET /health"), Fixture.step(2, "create", "POST /books"),
    ]
    func events() -> [RunEvent] {
      let results = [1, 0, 2].map { index in
        var result = StepResult(
          step: steps[index], outcome: index == 2 ? .failed : .passed, startedAt: .zero, endedAt: .milliseconds(index + 1))
        result.exchanges = [Fixture.exchange("GET", "http://127.0.0.1/\(index)", status: 200)]
        return result
      }
      return [.runStarted(RunStart(runID: "r", startedAt: 0, steps: steps, dependencies: [[], [], []], concurrency: 4))]
        + results.map { .stepEnded($0) }
    }
    let console = ConsoleHarness()
    try console.run(events())
    expectGolden(console.standardOutput.text, "files.txt")
  }

  @Test func `the console shows a line for each item of a loop, in the order of the items`() throws {
    func event(_ index: Int, isLast: Bool) -> RunEvent {
      var result = Fixture.result(0, .passed, milliseconds: index + 1)
      result.iteration = "tenant=\(["acme", "umbrella corporation", "ok"][index])"
      result.iterationIndex = index
      result.endsStep = isLast
      return .stepEnded(result)
    }
    let console = ConsoleHarness()
    try console.run([.runStarted(Fixture.start), event(2, isLast: false), event(0, isLast: false), event(1, isLast: true)])
    let lines = console.standardOutput.text.split(separator: "\n").filter { $0.contains("tenant") && $0.hasPrefix("✓") }
    #expect(
      lines.map { String($0.split(separator: "]")[0]) } == [
        "✓ health [tenant=acme", "✓ health [tenant=umbrella corporation", "✓ health [tenant=ok",
      ])
  }

  @Test func `for a failed listening step, the console shows the request that the step received, and no response`() throws {
    let console = ConsoleHarness()
    try console.run(
      ReportText.run([
        Fixture.result(1, .failed) {
          var exchange = Fixture.exchange("POST", Fixture.base + "/hook", status: 200, requestBody: #"{"paid":false}"#)
          exchange.isIncoming = true
          $0.exchanges = [exchange]
        }
      ]))
    let lines = console.standardOutput.text.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("  received  POST http://127.0.0.1:8080/hook") }, "\(console.standardOutput.text)")
    #expect(!lines.contains { $0.hasPrefix("  response") })
  }

  @Test func `if there are more failures than the console lists, the console states the number of further failures`() throws {
    var options = ConsoleOptions()
    options.failureLimit = 2
    let console = ConsoleHarness(options)
    try console.run(
      [.runStarted(Fixture.start)] + (0..<9).map { .stepEnded(Fixture.result($0, .failed) { $0.reason = "broken" }) })
    #expect(console.standardOutput.text.contains("7 further failures not shown here"))
  }

  @Test func `if the reader of the console's output closes the pipe, the output ends without an error`() throws {
    let redactor = Redactor()
    struct Closed: ByteSink {
      func write(_ bytes: [UInt8]) throws(OutputError) { throw .closed }
    }
    struct Full: ByteSink {
      func write(_ bytes: [UInt8]) throws(OutputError) { throw .failed(errno: 28) }
    }
    func run(_ sink: any ByteSink) throws {
      let output = ConsoleOutput(output: RedactedOutput(sink, redactor: redactor), facts: TerminalFacts())
      let reporter = ConsoleReporter(
        options: ConsoleOptions(), standardOutput: output, standardError: output, redactor: redactor, clock: { .zero })
      for event in Fixture.allEvents { reporter.receive(event) }
      try reporter.finish()
    }
    try run(Closed())
    #expect(throws: ReportError.cannotWrite(path: "standard output", reason: 28)) { try run(Full()) }
  }

  @Test func `the console shows control characters in text from a server as visible text`() throws {
    var options = ConsoleOptions()
    options.verbosity = .verbose
    let console = ConsoleHarness(options)
    let nasty = "\u{1B}]0;title\u{7}\u{9B}2J\u{202E}\r\nA\rB\tC\u{0}"
    let result = Fixture.result(0, .failed) {
      $0.exchanges = [Fixture.exchange("GET", "http://h/\u{1B}[2J", status: 200, type: "text/plain\u{1B}c", body: nasty)]
      $0.exchanges[0].hops[0].responseFields = [.init("X-\u{1B}", nasty)]
      $0.exchanges[0].curlCommand = nasty
      $0.exchanges[0].label = nasty
      $0.exchanges[0].error = nasty
      $0.reason = nasty
      $0.iteration = nasty
      $0.extracted = [(nasty, nasty)]
      var failure = CheckFailure(.expectation, subject: nasty, message: nasty, at: nil)
      failure.expected = nasty
      failure.actual = nasty
      failure.excerpt = nasty
      failure.help = nasty
      failure.difference = [nasty]
      $0.failures = [failure]
    }
    try console.run([.runStarted(Fixture.start), .stepEnded(result)])
    for scalar in console.standardOutput.text.unicodeScalars where scalar != "\n" {
      #expect(DisplayText.substitute(for: scalar) == nil, "U+\(String(scalar.value, radix: 16))")
    }
  }

  @Test(arguments: [40, 60, 80, nil]) func `a secret in the console output is masked before its line is cut`(width: Int?) throws {
    let secret = "canary-0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    var options = ConsoleOptions()
    options.verbosity = .verbose
    options.isLive = false
    let console = ConsoleHarness(options, width: width, secrets: [secret])
    let result = Fixture.result(0, .failed) {
      $0.iteration = secret
      $0.reason = secret
      $0.extracted = [(secret, "\"\(secret)\"")]
      $0.exchanges = [
        Fixture.exchange(
          "GET", "http://h/?a=\(secret)", status: 200, body: "{\"a\":\"\(secret)\",\"b\":\"\\u0063\(secret.dropFirst())\"}",
          requestBody: secret)
      ]
      // The kept bytes may end in the middle of a secret.
      $0.exchanges[0].responseBody = .init(bytes: Array("[\"\(secret.prefix(40))".utf8), size: 10_000, type: "application/json")
      $0.exchanges[0].hops[0].responseFields = [.init("X", secret)]
      $0.exchanges[0].curlCommand = "curl '\(secret)'"
      var failure = CheckFailure(.expectation, subject: secret, message: secret, at: nil)
      failure.expected = secret
      failure.actual = secret
      failure.excerpt = secret
      failure.difference = [secret]
      failure.help = secret
      $0.failures = [failure]
    }
    try console.run([.runStarted(Fixture.start), .stepEnded(result)])
    #expect(!console.standardOutput.text.contains("0123456"))
    #expect(console.standardOutput.text.contains("***"))
  }
}

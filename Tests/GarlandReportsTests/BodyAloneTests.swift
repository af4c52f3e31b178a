import GarlandDiagnostics
import GarlandResults
import Glibc
import Testing
import TestSupport

@testable import GarlandReports

/// Tests of printing only the body of one step to standard output, and of runs that are not reported.
@Suite struct BodyAloneTests {
  private static let step = Fixture.step(0, "health", "GET /health")

  private func events(_ change: (inout StepResult, inout Exchange) -> Void) -> [RunEvent] {
    var exchange = Fixture.exchange("GET", "http://127.0.0.1/health", status: 200, type: "text/plain", body: "beginning")
    var result = StepResult(step: Self.step, outcome: .passed, startedAt: .zero, endedAt: .milliseconds(3))
    change(&result, &exchange)
    result.exchanges = [exchange]
    var summary = RunSummary()
    summary.count(result)
    let start = RunStart(runID: "1", startedAt: 0, steps: [Self.step], dependencies: [[]], concurrency: 1)
    return [.runStarted(start), .stepEnded(result), .runEnded(summary)]
  }

  private func harness(pause: String? = nil, width: Int? = nil, secrets: [String] = []) -> ConsoleHarness {
    var options = ConsoleOptions()
    options.bodyAloneOf = "health"
    options.isLive = false
    options.commandPause = pause
    return ConsoleHarness(options, width: width, secrets: secrets)
  }

  @Test func `if a run prints only a response body, and the body is in memory, standard output contains only the body`() throws {
    let console = harness()
    try console.run(events { $1.responseBody?.whole = .memory(Array("beginning and end".utf8)) })
    #expect(console.standardOutput.text == "beginning and end")
  }

  @Test func `if a run prints a response body from a file in pieces, a secret that crosses two pieces is masked`() throws {
    let folder = try ScratchFolder()
    let secret = "swordfish-1"
    // The secret is partly before and partly after the end of the first piece.
    let text = String(repeating: "x", count: (256 << 10) - 4) + secret + String(repeating: "y", count: 300 << 10)
    let writer = try ReportFile(path: folder.path + "/body")
    writer.writer.write(text)
    try writer.commit()
    let file = try BodyFile(path: folder.path + "/body")
    unlink(folder.path + "/body")
    let console = harness(secrets: [secret])
    try console.run(events { $1.responseBody?.whole = .file(file) })
    #expect(console.standardOutput.text == text.replacing(secret, with: "***"))
    let terminal = harness(width: 80)
    try terminal.run(
      events {
        $1.responseBody?.size = file.size
        $1.responseBody?.whole = .file(file)
      })
    #expect(terminal.standardOutput.text.hasPrefix("xxx") && terminal.standardOutput.text.hasSuffix("yyy\n"))
  }

  @Test func `if a response body can't be read again, printing only the body is an error`() throws {
    let missing = #expect(throws: BodyFile.Failure.self) { _ = try BodyFile(path: "/no/such/body") }
    #expect(missing?.reason == ENOENT)
    for width in [nil, 80] {
      let console = harness(width: width)
      #expect(throws: ReportError.lostBody(step: "health", reason: EMFILE)) {
        try console.run(
          events {
            $1.responseBody?.bytes = []
            $1.responseBody?.size = 5_000
            $1.responseBody?.whole = .lost(BodyFile.Failure(reason: EMFILE))
          })
      }
      #expect(console.standardOutput.bytes.isEmpty)
    }
    #expect(
      "\(ReportError.lostBody(step: "health", reason: EMFILE))"
        == "the body of the step `health` was received, and then could not be read again: Too many open files")
  }

  @Test func `if a run prints only a response body, and the end of the body was not stored, the console reports an error`() throws {
    let console = harness()
    #expect(throws: ReportError.incompleteBody(step: "health", kept: 9, size: 5_000)) {
      try console.run(events { $1.responseBody?.size = 5_000 })
    }
  }

  @Test func `if a run prints only a response body, nothing is printed for a step that did not run or had an error`() throws {
    for change in [
      { result, exchange in exchange.error = "the connection broke off" }, { result, _ in result.outcome = .notRun },
      { result, _ in result.outcome = .error },
    ] as [(inout StepResult, inout Exchange) -> Void] {
      let console = harness()
      try console.run(events(change))
      #expect(console.standardOutput.bytes.isEmpty)
    }
  }

  @Test func `while a response body is printed on GitHub Actions, commands such as '::error::' in the output are disabled`() throws {
    for (body, printed) in [("::error::no", "::stop-commands::T\n::error::no\n::T::\n"), ("a\n", "::stop-commands::T\na\n::T::\n")] {
      let console = harness(pause: "T")
      try console.run(events { $1.responseBody?.whole = .memory(Array(body.utf8)) })
      #expect(console.standardOutput.text == printed)
    }
  }

  /// An output that behaves as if standard output was closed from the beginning.
  private struct Closed: ByteSink {
    func write(_ bytes: [UInt8]) throws(OutputError) { throw .failed(errno: EBADF) }
  }

  @Test func `if standard output is closed, printing a body is an error, but printing the lines of steps is not`() throws {
    func reporter(_ body: String?) -> ConsoleReporter {
      var options = ConsoleOptions()
      options.bodyAloneOf = body
      let redactor = Redactor()
      return ConsoleReporter(
        options: options, standardOutput: ConsoleOutput(output: RedactedOutput(Closed(), redactor: redactor), facts: TerminalFacts()),
        standardError: ConsoleOutput(output: RedactedOutput(MemorySink(), redactor: redactor), facts: TerminalFacts()), redactor: redactor,
        clock: { .zero })
    }
    let lines = reporter(nil)
    for event in events({ _, _ in }) { lines.receive(event) }
    #expect(throws: Never.self) { try lines.finish() }
    let body = reporter("health")
    for event in events({ _, _ in }) { body.receive(event) }
    #expect(throws: ReportError.cannotWrite(path: "standard output", reason: EBADF)) { try body.finish() }
  }

  @Test func `if a run sends no request, no body is printed`() throws {
    let console = harness()
    var events = events { result, _ in result.outcome = .unreachable }
    guard case .runStarted(var start) = events[0] else { return }
    start.sendsNothing = true
    events[0] = .runStarted(start)
    try console.run(events)
    #expect(console.standardOutput.bytes.isEmpty && console.standardError.bytes.isEmpty)
  }
}

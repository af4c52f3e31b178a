import GarlandDiagnostics
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

@Suite struct LiveViewTests {
  private static let mebibyte = 1 << 20

  /// The first half of a run: one step passed, one failed, one uploads, one pauses, and others wait.
  private static var busyEvents: [RunEvent] {
    let steps = Fixture.steps
    return [
      .runStarted(Fixture.start), .stepReady(steps[0], at: .zero), .stepStarted(steps[0], StepStart(at: .milliseconds(1))),
      .stepStarted(steps[1], StepStart(at: .milliseconds(2))), .stepEnded(Fixture.results[1]),
      .stepStarted(steps[4], StepStart(at: .milliseconds(10))),
      .stepProgressed(
        steps[4], iteration: nil,
        TransferProgress(bytesReceived: 9 * mebibyte, bytesExpected: 20 * mebibyte, bytesSent: 0, bytesToSend: nil)),
      .stepStarted(steps[5], StepStart(at: .milliseconds(20), iteration: "tenant=acme", iterationIndex: 0)),
      .stepWaits(steps[5], iteration: 0, reason: "attempt 2: status is 503", until: .seconds(3)),
      .stepReady(steps[6], at: .milliseconds(20)),
    ]
  }

  private func screen(width: Int, height: Int, extra: [RunEvent] = []) -> VirtualTerminal {
    let console = ConsoleHarness(width: width, height: height, errorWidth: width)
    var terminal = VirtualTerminal(columns: width, rows: height)
    for event in Self.busyEvents + extra { console.reporter.receive(event) }
    console.clock.advance(.milliseconds(1_200))
    console.reporter.flush()
    console.reporter.receive(
      .stepProgressed(
        Fixture.steps[4], iteration: nil,
        TransferProgress(bytesReceived: 11 * Self.mebibyte, bytesExpected: 20 * Self.mebibyte, bytesSent: 0, bytesToSend: nil)))
    console.clock.advance(.milliseconds(800))
    console.reporter.flush()
    terminal.write(console.standardOutput.text)
    return terminal
  }

  @Test(arguments: [40, 80, 120]) func `the live view of many running steps fits terminals of 40, 80 and 120 columns`(width: Int) {
    let terminal = screen(width: width, height: 24)
    #expect(terminal.mistakes == [])
    #expect(!terminal.isCursorVisible)
    #expect(!terminal.isSynchronized)
    expectGolden(terminal.everything + "\n", "live-\(width).txt")
  }

  @Test(arguments: [60, 100, 400]) func `the live view does not show a secret in any encoding`(width: Int) {
    let console = ConsoleHarness(width: width, height: 60, errorWidth: width, colors: .ansi16, secrets: [MaskedEncoding.secret])
    var terminal = VirtualTerminal(columns: width, rows: 60)
    console.reporter.receive(.runStarted(Fixture.start))
    for (index, encoding) in MaskedEncoding.all.enumerated() {
      let step = Fixture.step(index, "s\(index)", "GET /x/\(encoding.text)")
      console.reporter.receive(
        .stepStarted(step, StepStart(at: .milliseconds(index), iteration: "item=\(encoding.text)", iterationIndex: 0)))
      console.reporter.receive(.stepWaits(step, iteration: 0, reason: "found \(encoding.text)", until: .seconds(30)))
      console.clock.advance(.milliseconds(700))
      console.reporter.flush()
      terminal.write(console.standardOutput.text)
      #expect(MaskedEncoding.anyShown(in: Array(terminal.everything.utf8)).isEmpty, "\(encoding.name)")
    }
    #expect(MaskedEncoding.anyShown(in: Array(console.standardOutput.text.utf8)).isEmpty)
  }

  @Test func `in a terminal of four rows, the live view shows only the rows that fit`() {
    let terminal = screen(width: 80, height: 4)
    expectGolden(terminal.everything + "\n", "live-low.txt")
  }

  @Test func `the live view does not crash in a terminal of one row`() {
    for width in 1..<30 { _ = screen(width: width, height: 1) }
  }

  @Test(arguments: [40, 80, 120]) func `the live view is erased at the end of the run`(width: Int) throws {
    let console = ConsoleHarness(width: width, errorWidth: width)
    for event in Fixture.allEvents {
      console.clock.advance(.milliseconds(150))
      console.reporter.receive(event)
      console.reporter.flush()
    }
    try console.reporter.finish()
    var terminal = VirtualTerminal(columns: width, rows: 24)
    terminal.write(console.standardOutput.text)
    #expect(terminal.mistakes == [])
    #expect(terminal.isCursorVisible)
    expectGolden(terminal.everything + "\n", "live-end-\(width).txt")
    #expect(console.standardError.text == "")
  }

  @Test func `a short run shows no live view`() throws {
    let console = ConsoleHarness(width: 80)
    try console.run(Fixture.greenEvents)
    #expect(!console.standardOutput.text.contains("\u{1B}"))
    #expect(console.standardOutput.text.contains("✓ health"))
  }

  @Test func `the live view draws a limited number of frames per second`() {
    let console = ConsoleHarness(width: 80)
    console.reporter.receive(.runStarted(Fixture.start))
    console.reporter.receive(.stepStarted(Fixture.steps[0], StepStart(at: .zero)))
    for _ in 0..<1_000 {
      console.clock.advance(.milliseconds(1))
      console.reporter.receive(.stepReady(Fixture.steps[1], at: .zero))
      console.reporter.flush()
    }
    let frames = console.standardOutput.text.split(separator: "\u{1B}[?2026h", omittingEmptySubsequences: false).count - 1
    #expect((8...15).contains(frames))
  }

  @Test func `the live view sets a timer only while a step runs`() {
    let console = ConsoleHarness(width: 80)
    console.reporter.receive(.runStarted(Fixture.start))
    #expect(console.reporter.timeUntilFlush() == .milliseconds(100))
    console.clock.advance(.milliseconds(100))
    console.reporter.flush()
    #expect(console.reporter.timeUntilFlush() == nil)
    console.reporter.receive(.stepStarted(Fixture.steps[0], StepStart(at: .zero)))
    console.clock.advance(.milliseconds(67))
    console.reporter.flush()
    #expect(console.reporter.timeUntilFlush() == .milliseconds(100))
  }

  @Test(arguments: [(100, 40), (80, 79), (60, 120)]) func `after the terminal is resized, each row of the live view appears once`(
    from: Int, to: Int
  ) throws {
    var region = LiveRegion()
    var terminal = VirtualTerminal(columns: from, rows: 30)
    func rows(_ columns: Int, _ text: Character) -> [LiveRegion.Row] {
      (0..<4).map { LiveRegion.Row(text: String(repeating: text, count: columns - 1 - $0), width: columns - 1 - $0) }
    }
    terminal.write(region.frame(above: ["first"], rows: rows(from, "a"), columns: from))
    terminal.resize(columns: to)
    terminal.write(region.frame(above: ["second"], rows: rows(to, "b"), columns: to))
    #expect(terminal.screen == ["first", "second"] + rows(to, "b").map(\.text))
    terminal.write(region.end(above: ["third"], columns: to))
    #expect(terminal.screen == ["first", "second", "third"])
    #expect(terminal.mistakes == [])
  }

  @Test func `a long line above the live view is wrapped and not cut off`() {
    var region = LiveRegion()
    var terminal = VirtualTerminal(columns: 20, rows: 6)
    terminal.write(region.frame(above: [], rows: [.init(text: "one", width: 3), .init(text: "two", width: 3)], columns: 20))
    terminal.write(region.frame(above: [String(repeating: "x", count: 40)], rows: [.init(text: "three", width: 5)], columns: 20))
    terminal.write(region.end(above: [], columns: 20))
    #expect(terminal.screen == [String(repeating: "x", count: 20), String(repeating: "x", count: 20)])
  }

  @Test func `if the frame of the live view has not changed, nothing is written`() {
    var region = LiveRegion()
    #expect(region.frame(above: [], rows: [.init(text: "one", width: 3)], columns: 20) != "")
    #expect(region.frame(above: [], rows: [.init(text: "one", width: 3)], columns: 20) == "")
  }

  @Test func `if standard output is a pipe, the live view is written only to standard error`() throws {
    let console = ConsoleHarness(errorWidth: 80, isPipe: true)
    for event in Fixture.allEvents {
      console.clock.advance(.milliseconds(150))
      console.reporter.receive(event)
      console.reporter.flush()
    }
    try console.reporter.finish()
    let plain = ConsoleHarness()
    try plain.run(Fixture.allEvents)
    #expect(console.standardOutput.text == plain.standardOutput.text)
    var terminal = VirtualTerminal(columns: 80, rows: 24)
    terminal.write(console.standardError.text)
    #expect(terminal.everything.contains("Interrupted by SIGINT"))
    #expect(terminal.isCursorVisible)
    // The view has one row: nothing moves the cursor up into the output of the pipe's reader.
    #expect(!console.standardError.text.contains("A\u{1B}") && !console.standardError.text.contains("[1A"))
  }

  @Test func `if a run has more steps than the console may list, the console lists only steps with problems`() throws {
    var options = ConsoleOptions()
    options.scrollLimit = 4
    let console = ConsoleHarness(options, width: 80)
    console.reporter.receive(.runStarted(Fixture.start))
    console.clock.advance(.milliseconds(200))
    for result in Fixture.results { console.reporter.receive(.stepEnded(result)) }
    console.reporter.flush()
    var terminal = VirtualTerminal(columns: 80, rows: 40)
    terminal.write(console.standardOutput.text)
    #expect(!terminal.everything.contains("✓ health"))
    #expect(terminal.everything.contains("✗ create"))
    #expect(terminal.everything.contains("The run has more than 4 steps; only steps with problems are listed."))
    #expect(terminal.everything.contains("9/9"))
  }

  @Test func `a warning during the run is printed above the live view`() {
    let notice = Diagnostic("likely-race", severity: .warning, "two steps may write at once", at: Fixture.range("create:"))
    let terminal = screen(width: 80, height: 30, extra: [.notice(notice)])
    #expect(terminal.everything.contains("warning[likely-race]: two steps may write at once"))
  }

  private static let each = StepIdentity(
    index: 0, id: "each_user", file: "examples/shop.yaml", workflow: "Loops", summary: nil, tags: [],
    range: SourceRange(Fixture.shop, 0..<0),
    verb: "GET", target: "/users/${item.id}/orders?limit=100&from=2026-01-01", isCleanup: false, isRequest: true, iterationColumns: 24)

  /// Returns the rows of a loop of 400 items, of which some have ended.
  private func loopRows(ended: Int, at now: Duration, columns: Int, secrets: [String] = []) -> [String] {
    let redactor = Redactor()
    for secret in secrets { redactor.register(secret) }
    var state = LiveState()
    state.receive(.runStarted(RunStart(runID: "r", startedAt: 0, steps: [Self.each], dependencies: [[]], concurrency: 16)))
    for index in 0..<ended + 2 {
      var start = StepStart(at: .seconds(2), iteration: "user \(index) of the long list", iterationIndex: index, itemCount: 400)
      start.target = ("GET", "http://h.example/users/\(index)/orders?limit=100&from=2026-01-01")
      state.receive(.stepStarted(Self.each, start))
      guard index < ended else { continue }
      var result = StepResult(step: Self.each, outcome: .passed, startedAt: .seconds(2), endedAt: now)
      result.iteration = "user \(index) of the long list"
      result.iterationIndex = index
      result.endsStep = false
      state.receive(.stepEnded(result))
    }
    let label = StepLabel(mask: Mask(redactor), namesFile: false)
    return LiveRows(label: label, glyphs: .unicode, columns: columns, height: 10).rows(state, at: now).map(\.plain)
  }

  @Test(arguments: [40, 60, 100]) func `the live view's row of a loop shows the number of items, their rate and the remaining time`(
    columns: Int
  ) {
    let rows = loopRows(ended: 348, at: .seconds(14), columns: columns)
    #expect(rows.allSatisfy { DisplayWidth.of(String($0)) < columns })
    #expect(rows[1].contains("348/400"))
    // The rate is that of 348 items in 12 seconds.
    if columns >= 60 { #expect(rows[1].contains("29/s  1.7 s left"), "\(rows[1])") }
    expectGolden(rows.joined(separator: "\n") + "\n", "live-loop-\(columns).txt")
  }

  @Test func `on a narrow terminal, the rate and the remaining time of a loop are omitted, not truncated`() {
    for columns in 20...60 {
      let row = loopRows(ended: 348, at: .seconds(14), columns: columns)[1]
      #expect(!row.hasSuffix("…") || !row.contains("400  "), "\(columns): \(row)")
    }
  }

  @Test func `the live view shows the rate of a slow loop in items per minute`() {
    #expect(loopRows(ended: 2, at: .seconds(62), columns: 100)[1].contains("2.0/min  3 h 19 m left"))
  }

  @Test func `the live view shows no rate for a loop without a finished item`() {
    let rows = loopRows(ended: 0, at: .seconds(5), columns: 100)
    #expect(rows[1].contains("  0/400") && !rows[1].contains("left"))
  }

  @Test func `in the live view, the row of a running step shows the request's URL with its secrets masked`() {
    let rows = loopRows(ended: 0, at: .seconds(5), columns: 140, secrets: ["2026-01-01"])
    #expect(rows[2].contains("GET /users/0/orders?limit=100&from=***"), "\(rows[2])")
  }

  @Test func `if several running items of a loop have the same label, the live view has a row for each of them`() {
    var state = LiveState()
    state.receive(.runStarted(RunStart(runID: "r", startedAt: 0, steps: [Self.each], dependencies: [[]], concurrency: 16)))
    for index in 0..<3 {
      state.receive(.stepStarted(Self.each, StepStart(at: .zero, iteration: "alike", iterationIndex: index, itemCount: 3)))
    }
    #expect(state.runningCount == 3)
    var result = StepResult(step: Self.each, outcome: .passed, startedAt: .zero, endedAt: .seconds(1))
    (result.iteration, result.iterationIndex, result.endsStep) = ("alike", 1, false)
    state.receive(.stepEnded(result))
    #expect(state.runningCount == 2)
  }

  @Test func `drawing a frame of the live view takes little work even for 100,000 steps`() {
    let count = 100_000
    let steps = (0..<count).map { Fixture.step($0, "s\($0)", "GET /\($0)") }
    var state = LiveState()
    state.receive(
      .runStarted(
        RunStart(
          runID: "r", startedAt: 0, steps: steps, dependencies: (0..<count).map { $0 == 0 ? [] : [0] }, concurrency: 16)))
    state.receive(.stepStarted(steps[0], StepStart(at: .zero)))
    let rows = LiveRows(label: StepLabel(mask: Mask(Redactor()), namesFile: false), glyphs: .unicode, columns: 80, height: 10)
    for frame in 0..<100 { #expect(rows.rows(state, at: .milliseconds(frame)).count == 5) }
  }
}

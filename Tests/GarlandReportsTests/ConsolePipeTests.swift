import GarlandDiagnostics
import GarlandResults
import Glibc
import Testing

@testable import GarlandReports

/// Tests of a console without a thread, with different kinds of descriptors.
@Suite(.timeLimit(.minutes(15))) struct ConsolePipeTests {
  private static func events(_ count: Int) -> [RunEvent] {
    let steps = (0..<count).map { Fixture.step($0, "step_\($0)", "GET /items/\($0)") }
    var summary = RunSummary()
    let results = steps.map { step in
      var result = StepResult(step: step, outcome: .passed, startedAt: .zero, endedAt: .milliseconds(7))
      result.exchanges = [Fixture.exchange("GET", "http://shop.test/items/\(step.index)", status: 200)]
      summary.count(result)
      return RunEvent.stepEnded(result)
    }
    let start = RunStart(runID: "r", startedAt: 0, steps: steps, dependencies: steps.map { _ in [] }, concurrency: 16)
    return [.runStarted(start)] + results + [.runEnded(summary)]
  }

  /// Returns the output of a console in memory for the same events.
  private static func expected(_ events: [RunEvent]) throws -> String {
    let console = ConsoleHarness()
    try console.run(events)
    return console.standardOutput.text
  }

  private static func output(_ descriptor: Int32, _ redactor: Redactor) -> ConsoleOutput {
    ConsoleOutput(
      fileDescriptor: descriptor, output: RedactedOutput(FileDescriptorSink(fileDescriptor: descriptor), redactor: redactor),
      facts: TerminalFacts())
  }

  private static func pipeline(
    _ descriptor: Int32, error: Int32? = nil, redactor: Redactor = Redactor(), _ timer: ManualTimer
  ) -> ReportPipeline {
    let reporter = ConsoleReporter(
      options: ConsoleOptions(), standardOutput: output(descriptor, redactor),
      standardError: output(error ?? descriptor, redactor), redactor: redactor, clock: { .zero })
    return ReportPipeline([reporter], schedule: timer.schedule)
  }

  @Test func `if the console writes to a pipe that no process reads, the run is not delayed`() async throws {
    let pipe = try TestPipe()
    let timer = ManualTimer()
    let pipeline = Self.pipeline(pipe.writing, timer)
    let events = Self.events(300)
    for event in events {
      pipeline.receive(event)
      timer.fire()
    }
    #expect(pipeline.isReady)
    let pieces = pipe.pieces()
    #expect(await pipeline.finish() == [])
    pipe.closeWriting()
    #expect(await TestPipe.text(pieces) == (try Self.expected(events)))
  }

  /// If the kept output exceeds the limit, a thread takes over and delays the run.
  @Test func `a slow reader of the console output gets every byte in order`() async throws {
    let pipe = try TestPipe()
    let timer = ManualTimer()
    let pipeline = Self.pipeline(pipe.writing, timer)
    let events = Self.events(15_000)
    for event in events {
      pipeline.receive(event)
      timer.fire()
    }
    #expect(!pipeline.isReady)
    let pieces = pipe.pieces(atOnce: 600)
    #expect(await pipeline.finish() == [])
    pipe.closeWriting()
    #expect(await TestPipe.text(pieces) == (try Self.expected(events)))
  }

  @Test func `if a program reads the console output through a pipe, the program gets the first lines before the run ends`() async throws {
    let pipe = try TestPipe()
    let timer = ManualTimer()
    let pipeline = Self.pipeline(pipe.writing, timer)
    let events = Self.events(40)
    for event in events.prefix(11) { pipeline.receive(event) }
    timer.fire()
    #expect(String(decoding: pipe.read(4_096), as: UTF8.self).split(separator: "\n").count == 11)
    for event in events.dropFirst(11) { pipeline.receive(event) }
    let pieces = pipe.pieces()
    #expect(await pipeline.finish() == [])
    pipe.closeWriting()
    let text = try Self.expected(events)
    let rest = await TestPipe.text(pieces)
    #expect(text.hasSuffix(rest))
    #expect(rest.hasPrefix("✓ step_10 "))
  }

  @Test func `if the reader of a run's output closes the pipe during the run, no error is reported`() async throws {
    let pipe = try TestPipe()
    let timer = ManualTimer()
    let pipeline = Self.pipeline(pipe.writing, timer)
    for (index, event) in Self.events(1_000).enumerated() {
      if index == 500 { pipe.closeReading() }
      pipeline.receive(event)
      timer.fire()
    }
    #expect(await pipeline.finish() == [])
  }

  @Test func `console output to a file is not written after each step, but each time a timer fires`() async throws {
    let folder = try ScratchFolder()
    let descriptor = open("\(folder.path)/out.txt", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let timer = ManualTimer()
    let pipeline = Self.pipeline(descriptor, timer)
    let events = Self.events(300)
    for event in events.prefix(101) { pipeline.receive(event) }
    #expect(folder.text("out.txt").isEmpty)
    timer.fire()
    #expect(folder.text("out.txt").split(separator: "\n").count == 101)
    for event in events.dropFirst(101) { pipeline.receive(event) }
    #expect(await pipeline.finish() == [])
    #expect(folder.text("out.txt") == (try Self.expected(events)))
  }

  @Test func `console output to a full disk is reported as an error`() async throws {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let timer = ManualTimer()
    let pipeline = Self.pipeline(descriptor, timer)
    for event in Self.events(300) {
      pipeline.receive(event)
      timer.fire()
    }
    #expect(await pipeline.finish() == [.cannotWrite(path: "standard output", reason: ENOSPC)])
  }

  /// A secret that becomes known after the line was created is masked, too.
  @Test func `a secret in a console line is masked even if the secret is registered after the line was created`() async throws {
    let pipe = try TestPipe()
    let timer = ManualTimer()
    let redactor = Redactor()
    let pipeline = Self.pipeline(pipe.writing, redactor: redactor, timer)
    let events = Self.events(20)
    for event in events { pipeline.receive(event) }
    redactor.register("step_12")
    timer.fire()
    let pieces = pipe.pieces()
    #expect(await pipeline.finish() == [])
    pipe.closeWriting()
    let text = await TestPipe.text(pieces)
    #expect(text.contains("step_11") && text.contains("✓ *** ") && !text.contains("step_12"), "\(text)")
  }

  /// Output to standard error is written before the lines that follow it.
  @Test func `while a full pipe blocks standard error, later console lines are not written to standard output`() async throws {
    let folder = try ScratchFolder()
    let descriptor = open("\(folder.path)/out.txt", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let pipe = try TestPipe()
    let timer = ManualTimer()
    let pipeline = Self.pipeline(descriptor, error: pipe.writing, timer)
    for index in 0..<200 { pipeline.receive(.notice(Diagnostic("note", severity: .warning, "notice number \(index)", at: nil))) }
    for event in Self.events(10) { pipeline.receive(event) }
    timer.fire()
    #expect(folder.text("out.txt").isEmpty)
    let pieces = pipe.pieces()
    #expect(await pipeline.finish() == [])
    pipe.closeWriting()
    #expect(await TestPipe.text(pieces).contains("notice number 199"))
    #expect(folder.text("out.txt").contains("step_9"))
  }

  @Test func `if the console writes plain lines to a non-blocking descriptor, it starts no thread`() throws {
    let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
    try #require(null >= 0)
    defer { close(null) }
    let pipe = try TestPipe()
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    func isPrompt(_ output: Int32, _ error: Int32, _ options: ConsoleOptions = ConsoleOptions()) -> Bool {
      let redactor = Redactor()
      return ConsoleReporter(
        options: options, standardOutput: Self.output(output, redactor), standardError: Self.output(error, redactor), redactor: redactor,
        clock: { .zero }
      ).isPrompt
    }
    #expect(isPrompt(null, null))
    #expect(isPrompt(pipe.writing, null))
    #expect(!isPrompt(ends[0], null))
    #expect(!isPrompt(null, ends[0]))
    var options = ConsoleOptions()
    options.verbosity = .quiet
    #expect(isPrompt(null, pipe.writing, options))
    options.verbosity = .verbose
    #expect(!isPrompt(null, null, options))
    options = ConsoleOptions()
    options.show = .headers
    #expect(!isPrompt(null, null, options))
    options = ConsoleOptions()
    options.bodyAloneOf = "a"
    #expect(!isPrompt(null, null, options))
    #expect(!ConsoleHarness().reporter.isPrompt)
  }
}

import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

/// Tests of reports of load tests.
@Suite struct LoadReportTests {
  private static let steps = Array(Fixture.steps.prefix(2))

  /// Returns the figures of one of several machines.
  static func load(number: Int = 0, rate: Double? = 200) throws -> RunLoad {
    var load = RunLoad(LoadSettings(rate: rate, users: 50, duration: .seconds(60), ramp: .seconds(5)), stepCount: 2)
    load.begun = 11_500
    load.ended = 11_500
    load.failed = 12
    load.late = 3
    load.latest = .milliseconds(41)
    load.elapsed = .milliseconds(60_012)
    for index in 0..<11_500 {
      let time = Duration.microseconds(400 + (index * 7_919 + number) % 1_201 + (index % 1_000 == 0 ? 90_000 : 0))
      load.steps[0].latency.record(time)
      load.steps[0].service?.record(time / 2)
      load.steps[1].latency.record(time * 3)
      load.steps[1].service?.record(time * 2)
      load.repetition.record(time * 4)
    }
    load.steps[0].counts = [.passed: 11_500]
    load.steps[0].requests = 11_500
    load.steps[1].counts = [.passed: 11_488, .failed: 9, .error: 3]
    load.steps[1].requests = 11_500
    load.steps[1].errors = ["status 503": 9, "timeout": 3]
    load.steps[1].samples = [sample(status: 503), sample(status: nil)]
    load.expectations = try ["p95 < 300ms", "create.errors < 0.1%"].map { try LoadExpectation($0, steps: steps.map(\.id)) }
    return load
  }

  private static func sample(status: Int?) -> StepResult {
    Fixture.result(1, status == nil ? .error : .failed) { result in
      result.exchanges = [
        Fixture.exchange("POST", Fixture.base + "/books", status: status, body: "busy", error: status == nil ? "timed out" : nil)
      ]
      var failure = CheckFailure(.expectation, subject: "status", message: "is 503, expected 201", at: Fixture.range("/books"))
      if status == nil { failure = CheckFailure(.transport, subject: "request", message: "timed out", at: nil) }
      result.failures = [failure]
    }
  }

  static func events(_ load: RunLoad, shard: Int? = nil, of count: Int = 2) -> [RunEvent] {
    var start = RunStart(runID: "01J0RUN", startedAt: Fixture.start.startedAt, steps: steps, dependencies: [[], []], concurrency: 16)
    start.load = load.settings
    if let shard {
      start.shard = RunShard(
        number: shard, count: count, profile: nil, division: "p",
        documents: [.init(file: Fixture.shop.name, digest: "d", steps: steps.map(\.id))], variables: [])
    }
    let failed = sample(status: 503)
    let passed = StepResult(step: steps[0], outcome: .passed, startedAt: .zero, endedAt: load.medianDuration(of: 0) ?? .zero)
    var summary = RunSummary()
    for result in [passed, failed] { summary.count(result) }
    summary.requestCount = load.requests
    summary.sumOfStepTimes = .zero
    summary.wallTime = load.elapsed
    summary.load = load
    let progress = LoadProgress(
      elapsed: .seconds(10), ended: 1_498, failed: 2, late: 1, perSecond: 200.4, latency: load.latency)
    return [.runStarted(start), .loadProgressed(progress), .stepEnded(passed), .stepEnded(failed), .runEnded(summary)]
  }

  private static func recording(_ events: [RunEvent]) throws -> RunRecording {
    try RunRecording(SourceFile(name: "r.json", bytes: Array(ReportText.of(.json, events).utf8))) { _ in nil }
  }

  @Test func `if the output of a load test goes to a pipe, it has lines of metrics, a table and the errors`() throws {
    let console = ConsoleHarness()
    try console.run(Self.events(Self.load()))
    expectGolden(console.standardOutput.text, "load-pipe.txt")
    #expect(console.standardError.text == "")
  }

  @Test func `with --quiet, a load test prints the table of latencies but no line with the number of repetitions`() throws {
    var options = ConsoleOptions()
    options.verbosity = .quiet
    let console = ConsoleHarness(options)
    try console.run(Self.events(Self.load()))
    #expect(console.standardOutput.text.contains("p99.9") && !console.standardOutput.text.contains("done"))
  }

  @Test func `in the table of a load test, permitted failures are marked and are not part of the row for all requests`() throws {
    var load = try Self.load()
    load.steps[1].isFailureAllowed = true
    let figures = LoadFigures(load: load, steps: Self.steps, label: StepLabel(mask: Mask(Redactor()), namesFile: false))
    #expect(figures.rows.map { $0.cells[2] } == ["0", "12 (0.10 %) allowed", "0", "12 (0.10 %)"])
    #expect(figures.rows.allSatisfy { !$0.hasFailed })
  }

  @Test(
    arguments: [
      (0, "0"), (0.000278, "0.00028"), (0.04, "0.04"), (0.4, "0.4"), (0.0996, "0.1"), (0.996, "1"), (1.26, "1.3"), (12, "12"),
      (1_234, "1,234"),
    ] as [(Double, String)])
  func `a low rate of a load test is shown with two significant digits`(rate: Double, text: String) {
    #expect(LoadFigures.number(rate) == text)
  }

  /// Returns the summary of a load test of 20 repetitions that took 12 seconds.
  private static func summary(_ settings: LoadSettings, ended: Int = 20) -> String {
    var load = RunLoad(settings, stepCount: 1)
    load.begun = 20
    load.ended = ended
    load.elapsed = .seconds(12)
    return LoadFigures.summary(of: load)
  }

  private static let endInRamp = "; --repeat ended it during its ramp of "

  @Test(arguments: [(2, 20, 60, true), (2, 20, 20, false), (2, 21, 60, false), (50, 20, 10, true)])
  func `if a load test without a rate ends before all users have begun, the summary says that it ended during its ramp`(
    users: Int, repetitions: Int, ramp: Int, isNoted: Bool
  ) {
    let summary = Self.summary(LoadSettings(users: users, repetitions: repetitions, ramp: .seconds(ramp)))
    #expect(summary.contains(Self.endInRamp) == isNoted, "\(summary)")
  }

  @Test(arguments: [(1, 60, true), (1, 30, false), (4, 10, true)] as [(Double, Int, Bool)])
  func `if all repetitions of a load test with a rate belong to its ramp, the summary says that it ended during its ramp`(
    rate: Double, ramp: Int, isNoted: Bool
  ) {
    let summary = Self.summary(LoadSettings(rate: rate, users: 100, repetitions: 20, ramp: .seconds(ramp)))
    #expect(summary.contains(Self.endInRamp) == isNoted, "\(summary)")
  }

  @Test(arguments: [nil, 1] as [Double?])
  func `if repetitions of a load test were cancelled, the summary does not say that it ended during its ramp`(rate: Double?) {
    let settings = LoadSettings(rate: rate, users: 2, repetitions: 20, ramp: .seconds(60))
    #expect(Self.summary(settings).hasSuffix("\(Self.endInRamp)1 m 00 s"))
    #expect(!Self.summary(settings, ended: 19).contains(Self.endInRamp))
  }

  @Test func `the comment of a HAR archive says which requests of a load test are recorded`() throws {
    let archive = try JSONValue(parsing: ReportText.of(.har, Self.events(Self.load())))
    let words = "run 01J0RUN, exit status 1; a load: only the most frequent failure of each step is recorded"
    #expect(archive["log"]?["comment"]?.stringValue == words)
  }

  @Test func `the live view of a load test shows the current metrics`() throws {
    var state = LiveState()
    for event in Self.events(try Self.load()).prefix(2) { state.receive(event) }
    let label = StepLabel(mask: Mask(Redactor()), namesFile: false)
    let rows = LiveRows(label: label, glyphs: .unicode, columns: 120, height: 10).rows(state, at: .seconds(10))
    #expect(rows.map(\.plain) == ["  10.0 s      1,498 done    200.4/s  ✗ 2  1 late  p50 1.50 ms  p95 4.45 ms  p99 4.73 ms"])
  }

  @Test func `before the first metrics of a load test, its live view shows only the elapsed time`() throws {
    var state = LiveState()
    for event in Self.events(try Self.load()).prefix(1) { state.receive(event) }
    state.receive(.interrupted(signal: "SIGINT", at: .milliseconds(500)))
    let label = StepLabel(mask: Mask(Redactor()), namesFile: false)
    let rows = LiveRows(label: label, glyphs: .unicode, columns: 120, height: 10).rows(state, at: .milliseconds(500))
    #expect(rows.map(\.plain) == ["stopping (SIGINT)  0.5 s"])
  }

  @Test(.timeLimit(.minutes(15)))
  func `the HTML page of a load test has a scrollable table, no timeline and no critical path`() async throws {
    let page = try await HTMLPage(Self.events(Self.load()), unpacks: false)
    #expect(page.text.contains("<div class=\"wide\" tabindex=\"0\""))
    let views = try #require(try await page.look("views")["views"])
    #expect(views["lanes"] == [] && views["advice"] == "")
    let nodes = views["nodes"]?.arrayValue?.compactMap(\.stringValue) ?? []
    #expect(nodes.count == 2 && !nodes.contains { $0.contains("critical path") }, "\(nodes)")
  }

  @Test func `the Markdown report of a load test has a table of metrics`() throws {
    expectGolden(try ReportText.of(.markdown, Self.events(Self.load())), "load.md")
  }

  @Test(arguments: [(ReportFormat.junit, "load-junit.xml"), (.tap, "load.tap"), (.openmetrics, "load.prom")])
  func `JUnit, TAP and OpenMetrics reports of a load test with an unmet expectation match the golden files`(
    format: ReportFormat, golden: String
  ) throws {
    let text = try ReportText.of(format, Self.events(Self.load()))
    expectGolden(text, golden)
    let recording = try Self.recording(Self.events(Self.load()))
    let again = [RunEvent.runStarted(recording.start)] + recording.results.map { .stepEnded($0) } + [.runEnded(recording.summary)]
    #expect(try ReportText.of(format, again) == text)
  }

  @Test func `the JUnit report of a load test has a test case for each expectation and is valid against the Jenkins schema`() async throws {
    let text = try ReportText.of(.junit, Self.events(Self.load()))
    let suites = XMLCheck(text)
    #expect(suites["testsuites"].first?.attributes["tests"] == "4" && suites["testsuites"].first?.attributes["failures"] == "2")
    #expect(suites["testsuite"].last?.attributes["tests"] == "2" && suites["testsuite"].last?.attributes["failures"] == "1")
    let folder = try TemporaryFolder()
    let path = try folder.write("report.xml", text)
    let schema = Repository.path("Tests/Fixtures/Published/junit-10.xsd")
    let result = try await ChildProcess.run("/usr/bin/xmllint", ["--nonet", "--noout", "--schema", schema, path])
    #expect(result.status == 0, "\(result.error)")
  }

  @Test func `in the JUnit report of a load test that failures ended, each test suite has an id of its own`() throws {
    var load = try Self.load()
    load.expectations.removeLast()
    var summary = RunSummary()
    summary.load = load
    summary.earlyEnd = EarlyEnd(.failures, "3 repetitions failed")
    let suites = XMLCheck(try ReportText.of(.junit, Array(Self.events(load).prefix(1)) + [.runEnded(summary)]))
    #expect(suites["testsuite"].map { $0.attributes["id"] } == ["0", "1", "2"])
  }

  @Test func `the trace of a load test contains each expectation that is not met`() throws {
    let text = try ReportText.of(.otlp, Self.events(Self.load()))
    #expect(text.contains("expectation not met: create.errors < 0.1%: 0.104 %"), "\(text)")
  }

  @Test func `the trace of a load test has a span for the run and for a failure, but not for a step that passed`() throws {
    let text = try ReportText.of(.otlp, Self.events(Self.load()))
    let message = try JSONValue(parsing: text)
    let spans = message["resourceSpans"]?.arrayValue?.first?["scopeSpans"]?.arrayValue?.first?["spans"]?.arrayValue ?? []
    #expect(spans.compactMap { $0["name"]?.stringValue } == ["garland run", "create", "POST"])
    #expect(text.contains("garland.load.repetitions") && text.contains("\"11500\""), "\(text)")
  }

  @Test func `if a load report of an earlier version has the duration of the load as that of a step, the median is used instead`() throws {
    let load = try Self.load()
    let events = Self.events(load).map { event -> RunEvent in
      guard case .stepEnded(var result) = event, result.outcome == .passed else { return event }
      result.endedAt = load.elapsed
      return .stepEnded(result)
    }
    let results = try Self.recording(events).results
    let median = try #require(load.medianDuration(of: 0))
    #expect(results.map(\.duration) == [median, Self.sample(status: 503).duration])
  }

  @Test func `if the deadline ended a load step before its first request, the step has no duration after its JSON report is read`() throws {
    let cutOff = Fixture.result(1, .error, milliseconds: 0) { result in
      result.reason = "the run reached its deadline of 10 s"
      result.isCutOff = true
    }
    var load = try Self.load()
    load.steps[1].samples = [cutOff]
    let events = Self.events(load).map { event -> RunEvent in
      guard case .stepEnded(let result) = event, result.outcome == .failed else { return event }
      return .stepEnded(cutOff)
    }
    #expect(try Self.recording(events).results.last?.duration == .zero)
    #expect(try ReportText.of(.otlp, events).contains("\"create\""))
  }

  @Test func `two equal expectations of a load test give only one series in OpenMetrics`() throws {
    var load = try Self.load()
    load.expectations += load.expectations
    let text = try ReportText.of(.openmetrics, Self.events(load))
    #expect(text.split(separator: "\n").count { $0.hasPrefix("garland_load_expectation_met{") } == 2)
  }

  @Test func `the HTML report of a load test has a table of metrics`() throws {
    let page = try ReportText.of(.html, Self.events(Self.load()))
    let table = page.firstRange(of: "<table class=\"load\">").map { page[$0.lowerBound...].prefix(400) } ?? ""
    #expect(table.contains("<td>create</td><td>11,500</td><td>12 (0.10 %)</td>"), "\(table)")
  }

  @Test func `the summary of a load test shows the number of cancelled repetitions`() throws {
    var load = try Self.load()
    load.begun += 2
    #expect(LoadFigures.summary(of: load).contains("11,500 repetitions in") && LoadFigures.summary(of: load).contains("; 2 cancelled"))
  }

  @Test(arguments: [true, false])
  func `the exit status of a load test that the deadline or failures have ended survives a round trip through the JSON report`(
    isOutOfTime: Bool
  ) throws {
    var load = try Self.load()
    load.expectations = []
    let results = [0, 1].map { Fixture.result($0, .passed) }
    var summary = RunSummary()
    for result in results { summary.count(result) }
    summary.load = load
    summary.earlyEnd = isOutOfTime ? EarlyEnd(.deadline, "the run was too slow") : EarlyEnd(.failures, "3 repetitions failed")
    #expect(summary.exitStatus == (isOutOfTime ? 4 : 1))
    let events = Array(Self.events(load).prefix(1)) + results.map { RunEvent.stepEnded($0) } + [.runEnded(summary)]
    #expect(try Self.recording(events).summary.exitStatus == summary.exitStatus)
  }

  @Test func `the JSON report of a load test is valid against its schema and survives a round trip`() throws {
    var load = try Self.load()
    load.steps[0].isFailureAllowed = true
    let text = try ReportText.of(.json, Self.events(load))
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    let schema = try JSONSchema(JSONValue(parsing: ScratchFolder.text(ofFile: "\(root)/schemas/report.schema.json")))
    let failures = try schema.validate(JSONValue(parsing: text))
    #expect(failures.isEmpty, "\(failures)")
    let recording = try Self.recording(Self.events(load))
    let again = [RunEvent.runStarted(recording.start)] + recording.results.map { .stepEnded($0) } + [.runEnded(recording.summary)]
    #expect(try ReportText.of(.json, again) == text)
    #expect(recording.summary.load?.steps[1].latency == (try Self.load().steps[1].latency))
  }

  /// The figures of a load whose first step has an error of one kind, and whose second step has errors of two kinds.
  private static func loadWithErrors(_ kind: String) throws -> RunLoad {
    var load = try Self.load()
    var cutOff = sample(status: nil)
    cutOff.isCutOff = true
    var timeout = sample(status: nil)
    timeout.failures[0].errorKind = kind
    var only = timeout
    only.step = steps[0]
    load.steps[0].samples = [only]
    load.steps[1].samples = [cutOff, timeout]
    return load
  }

  @Test func `the kinds of the errors of a load test are unchanged after its JSON report is read`() throws {
    let load = try Self.loadWithErrors("timeout")
    let events = Self.events(load)
    let text = try ReportText.of(.json, events)
    let recording = try Self.recording(events)
    let read = try #require(recording.summary.load)
    #expect(read.steps.map { $0.samples.map(StepLoad.kind) } == [["timeout"], ["deadline", "timeout"]])
    let again = [RunEvent.runStarted(recording.start)] + recording.results.map { .stepEnded($0) } + [.runEnded(recording.summary)]
    #expect(try ReportText.of(.json, again) == text)
    let schema = try JSONSchema(JSONValue(parsing: ScratchFolder.text(ofFile: Repository.path("schemas/report.schema.json"))))
    let failures = try schema.validate(JSONValue(parsing: text))
    #expect(failures.isEmpty, "\(failures)")
  }

  @Test func `the merged report of a load test has one sample of each kind of error of a step in all shards`() throws {
    let reports = try ["timeout", "refused"].enumerated().map { index, kind in
      (name: "s\(index + 1).json", recording: try Self.recording(Self.events(Self.loadWithErrors(kind), shard: index + 1)))
    }
    let merged = try #require(try ShardMerge(reports, allowsMissing: false).recording.summary.load)
    #expect(
      merged.steps.map { $0.samples.map(StepLoad.kind) } == [["timeout", "refused"], ["deadline", "timeout", "refused"]])
  }

  @Test func `a load report whose expectation has a share of more than 100%, as earlier versions allowed, can be read`() throws {
    let text = try ReportText.of(.json, Self.events(Self.load())).replacing("create.errors < 0.1%", with: "create.errors < 150%")
    let recording = try RunRecording(SourceFile(name: "r.json", bytes: Array(text.utf8))) { _ in nil }
    #expect(recording.summary.load?.expectations.map(\.text) == ["p95 < 300ms", "create.errors < 150%"])
    #expect(recording.summary.load?.meetsExpectations == true)
  }

  @Test func `the merged report of a load test has the percentiles of the requests of all shards`() throws {
    let loads = try [Self.load(), Self.load(number: 500)]
    let reports = try loads.enumerated().map { index, load in
      (name: "s\(index + 1).json", recording: try Self.recording(Self.events(load, shard: index + 1)))
    }
    let merged = try #require(try ShardMerge(reports, allowsMissing: false).recording.summary.load)
    var expected = loads[0].steps[1].latency
    expected.merge(loads[1].steps[1].latency)
    #expect(merged.steps[1].latency == expected && merged.begun == 23_000)
    #expect(merged.settings.rate == 400 && merged.settings.users == 100)
    #expect(merged.steps[1].errors == ["status 503": 18, "timeout": 6])
  }

  @Test func `a merged load test has the exit status 4 if the deadline ended a shard, even if this shard fails an expectation`() throws {
    let reports = try (1...2).map { number in
      var load = try Self.load()
      load.expectations = [try LoadExpectation("errors < 0.1%", steps: Self.steps.map(\.id))]
      if number == 1 {
        load.steps[1].counts[.failed] = 27
      }
      var events = Self.events(load, shard: number)
      if number == 1, case .runEnded(var summary)? = events.popLast() {
        summary.earlyEnd = EarlyEnd(.deadline, "the run reached its deadline of 1 m")
        events.append(.runEnded(summary))
      }
      return (name: "s\(number).json", recording: try Self.recording(events))
    }
    #expect(reports[0].recording.summary.exitStatus == 1)
    let merged = try ShardMerge(reports, allowsMissing: false).recording.summary
    #expect(merged.load?.meetsExpectations == true && merged.exitStatus == 4)
  }

  @Test func `a merged load test has the exit status 1 if failures stopped a shard, even if it meets its expectations`() throws {
    let reports = try (1...2).map { number in
      var load = try Self.load()
      load.expectations = [try LoadExpectation("errors <= 100%", steps: Self.steps.map(\.id))]
      var events = Self.events(load, shard: number)
      if number == 1, case .runEnded(var summary)? = events.popLast() {
        summary.earlyEnd = EarlyEnd(.failures, "12 repetitions failed")
        events.append(.runEnded(summary))
      }
      return (name: "s\(number).json", recording: try Self.recording(events))
    }
    #expect(try ShardMerge(reports, allowsMissing: false).recording.summary.exitStatus == 1)
    #expect(try ShardMerge([reports[1]], allowsMissing: true).recording.summary.exitStatus == 0)
  }

  @Test(arguments: [1.0 / 3_600, 1.0 / 60 / 3, 1.5, 200])
  func `the JSON report of a load test has its rate without a loss`(rate: Double) throws {
    let load = try Self.load(rate: rate)
    #expect(try Self.recording(Self.events(load)).summary.load?.settings.rate == rate)
  }

  @Test(arguments: [(1.0 / 60, 3), (1, 6), (29, 7), (0.5, 6)] as [(Double, Int)])
  func `the merged report of a load test has the rate of the whole load test`(rate: Double, count: Int) throws {
    let load = try Self.load(rate: rate / Double(count))
    let reports = try (1...count).map { number in
      (name: "s\(number).json", recording: try Self.recording(Self.events(load, shard: number, of: count)))
    }
    #expect(try ShardMerge(reports, allowsMissing: false).recording.summary.load?.settings.rate == rate)
  }

  @Test func `merging reports of load tests with different low rates is refused`() throws {
    let reports = try [1.0, 1.2].enumerated().map { index, perHour in
      let load = try Self.load(rate: perHour / 3_600 / 2)
      return (name: "s\(index + 1).json", recording: try Self.recording(Self.events(load, shard: index + 1)))
    }
    #expect(throws: MergeError.self) { try ShardMerge(reports, allowsMissing: false) }
  }

  @Test func `merging reports of load tests with different steps is refused`() throws {
    let one = try Self.recording(Self.events(Self.load(), shard: 1))
    let other = try Self.recording(Self.events(Self.load(rate: 100), shard: 2))
    #expect(throws: MergeError.self) { try ShardMerge([("s1.json", one), ("s2.json", other)], allowsMissing: false) }
  }
}

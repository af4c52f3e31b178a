import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

/// Tests of creating reports from the JSON report of a run.
@Suite struct RunRecordingTests {
  private static func json(_ events: [RunEvent]) throws -> String {
    let folder = try ScratchFolder()
    let reporter = try JSONReporter(
      path: "\(folder.path)/r.json", redactor: Redactor(), generator: "garland 1.0", hostname: "build-7", includesAllBodies: true)
    for event in events { reporter.receive(event) }
    try reporter.finish()
    return folder.text("r.json")
  }

  private static func recording(_ text: String, source: SourceFile? = nil) throws(RecordingError) -> RunRecording {
    try RunRecording(SourceFile(name: "r.json", bytes: Array(text.utf8))) { _ in source }
  }

  private static func events(_ recording: RunRecording) -> [RunEvent] {
    [.runStarted(recording.start)] + recording.notices.map { .notice($0) } + recording.results.map { .stepEnded($0) } + [
      .runEnded(recording.summary)
    ]
  }

  /// A replayed recording gives the same report, byte for byte.
  @Test func `the JSON report of a run is unchanged, byte for byte, when it is read and written again`() throws {
    for events in [Fixture.allEvents, Fixture.greenEvents] {
      let text = try Self.json(events)
      let again = try Self.json(Self.events(Self.recording(text)))
      #expect(again == text)
    }
  }

  @Test func `a JSON report that is read keeps the charset of each body and the sum of the step times`() throws {
    var summary = RunSummary()
    let results = [0, 1].map { index in
      Fixture.result(index, .passed) {
        $0.endedAt = .nanoseconds(1_000_600)
        $0.exchanges = [Fixture.exchange("GET", "http://h/", status: 200, type: "text/plain; charset=iso-8859-1")]
        $0.exchanges[0].responseBody = .init(bytes: [0x63, 0x61, 0x66, 0xE9], size: 4, type: "text/plain; charset=iso-8859-1")
      }
    }
    for result in results { summary.count(result) }
    let start = RunStart(
      runID: "k3", startedAt: 1_700_000_000, steps: Array(Fixture.steps.prefix(2)), dependencies: [[], []], concurrency: 4)
    let events: [RunEvent] = [.runStarted(start)] + results.map { .stepEnded($0) } + [.runEnded(summary)]
    let text = try Self.json(events)
    let again = try Self.recording(text)
    #expect(try Self.json(Self.events(again)) == text)
    let body = try #require(again.results[0].exchanges[0].responseBody)
    #expect(body.type == "text/plain; charset=iso-8859-1" && String(decoding: body.bytes, as: UTF8.self) == "café")
    for format in [ReportFormat.har, .html, .junit, .markdown] {
      #expect(try ReportText.of(format, Self.events(again)) == ReportText.of(format, events), "\(format)")
    }
  }

  /// Returns the JSON report of a run with one step.
  private static func report(action: String, isRequest: Bool) throws -> String {
    var start = Fixture.start
    start.dependencies = [[]]
    start.steps = [
      StepIdentity(
        index: 0, id: "health", file: "examples/shop.yaml", workflow: "shop", summary: nil, tags: [], range: Fixture.range("health:"),
        action: action, isCleanup: false, isRequest: isRequest)
    ]
    return try Self.json([.runStarted(start), .runEnded(RunSummary())])
  }

  @Test(arguments: [
    ("probe db:5432", false), ("call setup.yaml", false), ("listen /hook", false), ("call http://h/", true), ("listen http://h/", true),
    ("reach db:5432", true), ("GET /health", true),
  ])
  func `a JSON report keeps whether a step sends a request, whatever its action is`(action: String, isRequest: Bool) throws {
    let text = try Self.report(action: action, isRequest: isRequest)
    #expect(try Self.recording(text).start.steps.map(\.isRequest) == [isRequest])
  }

  @Test(arguments: [("call setup.yaml", false), ("listen /hook", false), ("reach db:5432", true), ("GET /health", true)])
  func `in a JSON report without the member 'request', a step sends no request if its action is call or listen`(
    action: String, isRequest: Bool
  ) throws {
    let text = try Self.report(action: action, isRequest: isRequest).replacing(#""request":false,"#, with: "")
    #expect(!text.contains(#""request""#))
    #expect(try Self.recording(text).start.steps.map(\.isRequest) == [isRequest])
  }

  @Test func `a JSON report has the member 'request' only if it is false or the action looks like a call or listen step`() throws {
    #expect(try Self.report(action: "call setup.yaml", isRequest: false).contains(#""request":false"#))
    #expect(try Self.report(action: "call http://h/", isRequest: true).contains(#""request":true"#))
    #expect(try !Self.report(action: "GET /health", isRequest: true).contains(#""request""#))
  }

  @Test
  func `a JSON report that is read and written again keeps limits, delays, compared values and partial bodies`()
    throws
  {
    var start = Fixture.start
    start.dependencies = [[]]
    start.steps = [
      StepIdentity(
        index: 0, id: "health", file: "examples/shop.yaml", workflow: "shop", summary: nil, tags: [], range: Fixture.range("health:"),
        action: "GET /health", isCleanup: false, isRequest: true, loopLimit: 4)
    ]
    start.perOrigin = 6
    start.isSerial = true
    start.isRepeated = true
    let result = Fixture.result(0, .error, from: 500) {
      $0.delay = .milliseconds(499)
      $0.found = [nil, "7"]
      $0.exchanges = [Fixture.exchange("GET", "http://h/", status: 200, body: "half", error: "broke")]
      $0.exchanges[0].responseBody?.isBrokenOff = true
    }
    var summary = RunSummary()
    summary.count(result)
    let text = try Self.json([.runStarted(start), .stepEnded(result), .runEnded(summary)])
    let again = try Self.recording(text)
    #expect(again.start.perOrigin == 6 && again.start.isSerial && again.start.isRepeated && again.start.steps[0].loopLimit == 4)
    #expect(again.results[0].delay == .milliseconds(499) && again.results[0].startedAt <= again.results[0].readyAt + again.results[0].delay)
    #expect(again.results[0].exchanges[0].responseBody?.isBrokenOff == true && again.results[0].found == [nil, "7"])
    #expect(try Self.json(Self.events(again)) == text)
  }

  /// A run of a shard whose second step passed after a failure.
  static var flakyShard: [RunEvent] {
    var start = RunStart(
      runID: "k3", startedAt: 1_700_000_000, steps: Array(Fixture.steps.prefix(2)), dependencies: [[], [0]], concurrency: 4)
    start.shard = RunShard(
      number: 2, count: 3, profile: "staging", division: "0123",
      documents: [.init(file: "examples/shop.yaml", digest: "4567", steps: ["health", "create"])],
      variables: [.init(name: "size", digest: "89ab")])
    start.shard?.loops = [.init(file: "examples/shop.yaml", id: "create", range: 4..<9, count: 20)]
    start.isRepeated = true
    start.merge = RunMerge(count: 3, missing: [1, 3], runs: ["k3"])
    start.merge?.durations = [.milliseconds(1_500)]
    start.merge?.loops = [.init(file: "examples/shop.yaml", id: "create", range: 4..<9, count: 20)]
    var skipped = StepResult(step: Fixture.steps[0], outcome: .skipped, startedAt: .zero, endedAt: .zero)
    skipped.reason = "`when` is false"
    var flaky = Fixture.createFailed
    flaky.outcome = .passed
    flaky.failures = []
    var failed = Fixture.createFailed
    // Without the document, the length of a quoted range is unknown.
    failed.failures = [CheckFailure(.expectation, subject: "status", message: "is 500, expected 201", at: nil)]
    flaky.earlier = [failed]
    var summary = RunSummary()
    for result in [skipped, flaky] { summary.count(result) }
    // The earlier run of the step counts, too.
    summary.sumOfStepTimes += .milliseconds(700)
    summary.wallTime = .seconds(1)
    summary.failsWhenFlaky = true
    return [.runStarted(start), .stepEnded(skipped), .stepEnded(flaky), .runEnded(summary)]
  }

  @Test(arguments: EarlyEnd.Cause.allCases)
  func `the reason why a run ended early is unchanged after its JSON report is written and read`(cause: EarlyEnd.Cause) throws {
    let end = EarlyEnd(cause, "SIGTERM")
    let text = try Self.json(ReportText.run([Fixture.result(0, .failed)]) { $0.earlyEnd = end })
    #expect(try Self.recording(text).summary.earlyEnd == end)
  }

  @Test(arguments: [Outcome.failed, .error, .unreachable, .blocked])
  func `the outcome of an error that belongs to no step is unchanged after its JSON report is written and read`(outcome: Outcome) throws {
    let error = Diagnostic("undefined", "`a.json` has no member `nothing`", at: nil)
    var events = ReportText.run([Fixture.result(0, .passed)]) { $0.add(error, outcome) }
    events.insert(.notice(error), at: 1)
    let summary = try Self.recording(Self.json(events)).summary
    #expect(summary.runErrors.count == 1 && summary.runErrorOutcome == outcome)
  }

  @Test(arguments: [Outcome.passed, .skipped, .notRun])
  func `if a JSON report names an outcome that is no problem as that of its errors, they count as errors`(outcome: Outcome) throws {
    let error = Diagnostic("undefined", "`a.json` has no member `nothing`", at: nil)
    var events = ReportText.run([Fixture.result(0, .passed)]) { $0.add(error, .failed) }
    events.insert(.notice(error), at: 1)
    let text = try Self.json(events).replacing(#""errorOutcome":"failed""#, with: #""errorOutcome":"\#(outcome.rawValue)""#)
    #expect(text.contains(#""errorOutcome":"\#(outcome.rawValue)""#))
    #expect(try Self.recording(text).summary.runErrorOutcome == .error)
  }

  @Test func `a JSON report that is read quotes the texts of options, even if two options have the same name`() throws {
    let notices = ["${a.x}", "${b.json.y}"].map { text in
      let file = SourceFile(name: "--print", bytes: Array(text.utf8))
      return Diagnostic("undefined", "no value", at: SourceRange(file, 2..<text.utf8.count - 1))
    }
    var events = ReportText.run([Fixture.result(0, .passed)])
    events.insert(contentsOf: notices.map { RunEvent.notice($0) }, at: 1)
    #expect(try Self.recording(Self.json(events)).notices.map(\.range?.text) == ["a.x", "b.json.y"])
  }

  @Test func `a JSON report that is read quotes the line of a notice even if the document does not exist any more`() throws {
    var events = ReportText.run([Fixture.result(0, .passed)])
    events.insert(.notice(Diagnostic("likely-race", severity: .warning, "they may race", at: Fixture.range("create:"))), at: 1)
    #expect(try Self.recording(Self.json(events)).notices.map(\.range?.text) == ["create:"])
  }

  @Test(arguments: zip(EarlyEnd.Cause.allCases, [143, 4, 1, 0] as [Int32]))
  func `a JSON report of an earlier version, without the member 'endedBy', keeps the exit status`(
    cause: EarlyEnd.Cause, status: Int32
  ) throws {
    let text = try Self.json(ReportText.run([Fixture.result(0, .passed)]) { $0.earlyEnd = EarlyEnd(cause, "SIGTERM") })
    let member = #""endedBy":"\#(cause.rawValue)","#
    #expect(text.contains(member))
    #expect(try Self.recording(text.replacing(member, with: "")).summary.exitStatus == status)
  }

  @Test func `the exit status 1 of a flaky run with an unreachable host is unchanged after its JSON report is written and read`() throws {
    let flaky = Fixture.result(0, .passed) { $0.earlier = [Fixture.result(0, .failed)] }
    let text = try Self.json(ReportText.run([flaky, Fixture.result(1, .unreachable)]) { $0.failsWhenFlaky = true })
    #expect(try Self.recording(text).summary.exitStatus == 1)
  }

  @Test func `the shard and the flaky steps of a run are unchanged after its JSON report is written and read`() throws {
    let text = try Self.json(Self.flakyShard)
    let recording = try Self.recording(text)
    #expect(recording.start.shard?.loops.map(\.range) == [4..<9])
    #expect(recording.start.shard?.number == 2 && recording.start.merge?.missing == [1, 3])
    #expect(recording.start.merge?.durations == [.milliseconds(1_500)] && recording.start.merge?.loops.map(\.range) == [4..<9])
    #expect(recording.summary.flaky == 1 && recording.summary.exitStatus == 1)
    let lines = try Self.json(Self.events(recording)).split(separator: "\n")
    #expect(lines == text.split(separator: "\n"))
  }

  @Test func `a JSON report that is read gives the width of the longest item name of each loop`() throws {
    var named = Fixture.createFailed
    named.iteration = "globex-international"
    named.iterationIndex = 0
    let text = try Self.json([.runStarted(Fixture.start), .stepEnded(named), .runEnded(RunSummary())])
    let steps = try Self.recording(text).start.steps
    #expect(steps[named.step.index].iterationColumns == 20 && steps[0].iterationColumns == 0)
  }

  @Test func `JUnit and console reports made from the JSON report of a run equal those made during the run`() throws {
    func junit(_ events: [RunEvent]) throws -> String {
      let folder = try ScratchFolder()
      let reporter = try JUnitReporter(path: "\(folder.path)/r.xml", redactor: Redactor(), hostname: "build-7")
      for event in events { reporter.receive(event) }
      try reporter.finish()
      // Only the document shows how much of a quoted source line an error covers.
      return folder.text("r.xml").split(separator: "\n").filter { !$0.contains("^") && !$0.contains("| ") }.joined(separator: "\n")
    }
    let recorded = try Self.recording(Self.json(Fixture.allEvents), source: Fixture.range("create:").file)
    #expect(recorded.hostname == "build-7" && recorded.summary.exitStatus == 130)
    #expect(try junit(Self.events(recorded)) == junit(Fixture.allEvents))
  }

  @Test func `a step in a JSON report keeps its line and column even if its document does not exist any more`() throws {
    let recording = try Self.recording(Self.json(Fixture.allEvents))
    let place = try #require(recording.start.steps.first).range.start
    let original = try #require(Fixture.allEvents.compactMap { if case .runStarted(let start) = $0 { start } else { nil } }.first).steps[0]
      .range.start
    #expect(place.line == original.line && place.column == original.column)
  }

  /// A run of one step with a hop that has all possible measurements.
  static var measured: [RunEvent] {
    var result = Fixture.createFailed
    var timing = Exchange.Timing(total: .milliseconds(38))
    timing.startedAt = .microseconds(2_345)
    timing.nameLookup = .microseconds(10)
    timing.connect = .microseconds(20)
    timing.tls = .microseconds(30)
    timing.requestStart = .microseconds(31)
    timing.requestSent = .microseconds(400)
    timing.firstByte = .milliseconds(30)
    timing.isSentAgain = true
    timing.localPort = 50_123
    timing.sizes = .init(requestHead: 120, requestBody: 16, responseHead: 90, responseBody: 58)
    timing.security = .init(version: "1.3", cipher: "TLS_AES_256_GCM_SHA384")
    timing.security?.subject = "CN=server"
    timing.security?.issuer = "CN=authority"
    timing.security?.expiresAt = 1_800_000_000
    result.exchanges[0].hops = result.exchanges[0].hops.map { hop in
      var hop = hop
      hop.timing = timing
      return hop
    }
    var start = Fixture.start
    start.sources = Fixture.steps.map { StepDefinition($0.range) }
    let block = Fixture.range("create:\n    post: /books\n    json: { title: Dune }\n    expect: { status: 201, json: { $.id: 7 } }\n  ")
    start.sources[1] = StepDefinition(
      block, checks: [.init("status", at: Fixture.range("201")), .init("json $.id", at: Fixture.range("7", after: "$.id: "))])
    let results = Fixture.results.map { $0.step.index == 1 ? result : $0 }
    return [.runStarted(start)] + results.map { .stepEnded($0) } + [.runEnded(Fixture.summary)]
  }

  @Test func `reading a JSON report preserves the quoted source lines and the phases, sizes and TLS details of each request`() throws {
    let text = try Self.json(Self.measured)
    for part in [
      #""startedAt":0.002345"#, #""requestStart":0.000031"#, #""requestSent":0.0004"#, #""sentAgain":true"#, #""localPort":50123"#,
      #""wireBytes":{"requestHead":120,"requestBody":16,"responseHead":90,"responseBody":58}"#,
      #""tls":{"version":"1.3","cipher":"TLS_AES_256_GCM_SHA384","subject":"CN=server","issuer":"CN=authority","expiresAt":"2027-01-15T08:00:00.000Z"}"#,
      #""source":"  create:\n    post: /books\n    json: { title: Dune }\n    expect: { status: 201, json: { $.id: 7 } }","sourceLine":6"#,
      #"{"subject":"status","file":"examples/shop.yaml","line":9,"column":23,"length":3}"#,
    ] { #expect(text.contains(part), "\(part)") }
    #expect(try Self.json(Self.events(Self.recording(text))) == text)
  }

  @Test func `if a document has changed since the run, the run's JSON report still provides the original source lines`() throws {
    let changed = SourceFile(name: "examples/shop.yaml", bytes: Array(repeating: UInt8(ascii: "#"), count: 2_000))
    let recording = try Self.recording(Self.json(Self.measured), source: changed)
    #expect(recording.start.sources[1].checks.map(\.range.text) == ["201", "7"])
    #expect(recording.results[1].failures.first?.range?.text == "201")
    #expect(recording.start.sources[1].range.text.hasPrefix("  create:\n    post: /books"))
  }

  @Test func `a source position after multibyte characters is unchanged after the JSON report is written and read`() throws {
    let file = SourceFile(name: "é.yaml", bytes: Array("  é: { ü: 201 }\n".utf8))
    let offset = Array("  é: { ü: ".utf8).count
    var result = Fixture.createFailed
    result.failures = [CheckFailure(.expectation, subject: "status", message: "is 500", at: SourceRange(file, offset..<offset + 3))]
    let recording = try Self.recording(Self.json([.runStarted(Fixture.start), .stepEnded(result), .runEnded(Fixture.summary)]))
    #expect(recording.results[1].failures.first?.range?.text == "201")
  }

  static let bad: [(String, String)] = [
    ("", "not JSON"), ("{", "the report is torn: "), ("{\"a\":\"\u{E9}", "the report is torn: "), ("[]", "`format` is missing"),
    (#"{"format": "other/2"}"#, "`format` is `other/2`"),
    (#"{"format": "garland-report/1"}"#, "`/run` is missing"), (#"{"format": "garland-report/1", "run": {}}"#, "`/steps`"),
    (#"{"format": "garland-report/1", "run": {}, "steps": [{"step": 0, "id": "a"}]}"#, "`/steps/0/action`"),
    (
      #"{"format": "garland-report/1", "run": {}, "steps": [], "results": [{"step": 0, "outcome": "passed"}], "notices": []}"#,
      "`/results/0/step`"
    ),
    (
      #"{"format": "garland-report/1", "run": {}, "steps": [], "results": [{"step": 0, "outcome": "green"}], "notices": []}"#,
      "`/results/0/outcome`"
    ),
    (#"{"format": "garland-report/1", "run": {}, "steps": [], "results": []}"#, "`/notices`"),
  ]

  @Test(arguments: bad) func `a malformed JSON report is refused with the position of the mistake`(text: String, message: String) {
    do throws(RecordingError) {
      _ = try Self.recording(text)
      Issue.record("taken: \(text)")
    } catch {
      #expect(error.diagnostic.message.contains(message) && error.diagnostic.range != nil, "\(error.diagnostic.message)")
    }
  }

  /// Any file is either accepted or rejected, and an accepted file can be replayed.
  @Test func `if a randomly changed JSON report is accepted, it can be rendered in every format`() throws {
    let original = Array(try Self.json(Fixture.allEvents).utf8)
    var state: UInt64 = 99
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    let words = ["null", "-1", "1e99", "\"\"", "[]", "{}", "true", "999999999999", "\"passed\""].map { Array($0.utf8) }
    var taken = 0
    for _ in 0..<300 {
      var bytes = original
      // A value replaces another value, so that the text often remains valid JSON.
      let colons = bytes.indices.filter { bytes[$0] == UInt8(ascii: ":") }
      let place = colons[next(colons.count)] + 1
      let end =
        bytes[place...].firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "]") } ?? bytes.endIndex
      bytes.replaceSubrange(place..<end, with: words[next(words.count)])
      guard let recording = try? Self.recording(String(decoding: bytes, as: UTF8.self)) else { continue }
      taken += 1
      _ = try Self.json(Self.events(recording))
    }
    #expect(taken > 50)
  }
}

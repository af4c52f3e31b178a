import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

@Suite struct OTLPTests {
  /// Returns the spans that opentelemetry-proto finds in a report.
  private static func spans(_ events: [RunEvent], secrets: [String] = []) throws -> [JSONValue] {
    let folder = try TemporaryFolder()
    _ = try ReportText.write(.otlp, events, to: "\(folder.path)/trace.jsonl", secrets: secrets)
    return try #require(JSONValue(parsing: PythonPackages.read("otlp", "\(folder.path)/trace.jsonl")).arrayValue)
  }

  private static func spans(_ spans: [JSONValue], below parent: JSONValue?) -> [JSONValue] {
    spans.filter { $0["parent"]?.stringValue == parent?["span"]?.stringValue }
  }

  @Test(arguments: [
    ("https://u:p@host/v1", "https://host/v1"), ("https://u:p@[host/x", "https://[host/x"), ("http://h/a@b?c@d", "http://h/a@b?…"),
    ("no url", "no url"), ("http://u:a@b@h", "http://h"),
  ])
  func `the URL of an OpenTelemetry collector is shown without user and password`(url: String, shown: String) {
    #expect(ReportURL.shown(url) == shown)
  }

  @Test func `the OTLP file of a run that contains every kind of step outcome matches the golden file`() throws {
    expectGolden(try ReportText.of(.otlp, Fixture.allEvents), "trace.jsonl")
  }

  @Test func `in a trace, the run's span contains a span for each step, and a step's span contains a span for each attempt`() throws {
    let spans = try Self.spans(Fixture.allEvents)
    let run = try #require(spans.first)
    #expect(run["name"]?.stringValue == "garland run" && run["parent"]?.stringValue == "")
    #expect(run["status"]?.intValue == 2 && run["message"]?.stringValue == "interrupted by SIGINT")
    #expect(run["resource"]?["service.name"]?.stringValue == "garland")
    let steps = Self.spans(spans, below: run)
    #expect(steps.map { $0["name"]?.stringValue } == Fixture.steps.map(\.id))
    #expect(Set(spans.map { $0["trace"]?.stringValue }).count == 1)
    #expect(Set(spans.map { $0["span"]?.stringValue }).count == spans.count)
    let attempts = Self.spans(spans, below: steps[6])
    #expect(attempts.count == 2)
    #expect(attempts.map { $0["attributes"]?["http.request.resend_count"]?.intValue } == [nil, 1])
    #expect(attempts[0]["kind"]?.intValue == 3)
    #expect(attempts[0]["attributes"]?["http.response.status_code"]?.intValue == 503)
    #expect(attempts[0]["attributes"]?["error.type"]?.stringValue == "503")
  }

  @Test func `in a trace, the status of the run's span has the errors that belong to no step`() throws {
    let events = ReportText.run([Fixture.result(0, .passed)]) {
      $0.add(Diagnostic("undefined", "`a.json` has no member `x`", at: nil), .failed)
      $0.add(Diagnostic("file", "the file `jar` can't be written", at: nil))
    }
    let run = try #require(Self.spans(events).first)
    #expect(
      run["status"]?.intValue == 2 && run["message"]?.stringValue == "`a.json` has no member `x`; the file `jar` can't be written")
  }

  @Test func `in a trace, the status of the run's span has the early end of the run and the errors that belong to no step`() throws {
    let events = ReportText.run([Fixture.result(0, .passed)]) {
      $0.earlyEnd = EarlyEnd(.deadline, "the run reached its deadline of 1 m")
      $0.add(Diagnostic("undefined", "`a.json` has no member `x`", at: nil), .failed)
    }
    let run = try #require(Self.spans(events).first)
    #expect(run["message"]?.stringValue == "the run reached its deadline of 1 m; `a.json` has no member `x`")
  }

  @Test func `in a trace, the spans of the run and of its steps have the right start and end times`() throws {
    let spans = try Self.spans(Fixture.allEvents)
    let begin = 1_795_222_800_250_000_000
    #expect(spans[0]["start"]?.intValue == begin && spans[0]["end"]?.intValue == begin + 1_252_000_000)
    let create = try #require(spans.first { $0["name"]?.stringValue == "create" })
    #expect(create["start"]?.intValue == begin + 2_000_000 && create["end"]?.intValue == begin + 40_000_000)
  }

  @Test func `in a trace, the delay of a step does not count as a wait for a transfer slot`() throws {
    let result = Fixture.result(0, .passed, from: 500) {
      $0.readyAt = .milliseconds(1)
      $0.delay = .milliseconds(450)
    }
    let span = try #require(Self.spans(ReportText.run([result])).first { $0["name"]?.stringValue == "health" })
    #expect(span["attributes"]?["garland.step.delay"]?.doubleValue == 0.45)
    #expect(span["attributes"]?["garland.step.slot_wait"]?.doubleValue == 0.049)
  }

  @Test func `if --rerun-failed runs a step again, each run of the step has a span with its own requests`() throws {
    let parent = RunTrace(runID: "01J0RUN").parent(random: 0xABC)
    var flaky = Fixture.result(0, .passed, from: 80) { $0.exchanges = [Fixture.exchange("GET", "http://h/", status: 200)] }
    flaky.earlier = [
      Fixture.result(0, .failed, from: 5) {
        $0.exchanges = [Fixture.exchange("GET", "http://h/", status: 503)]
        $0.exchanges[0].hops[0].requestFields.append(.init("traceparent", parent))
      }
    ]
    let spans = try Self.spans(ReportText.run([flaky]))
    let runs = spans.filter { $0["name"]?.stringValue == "health" }
    #expect(runs.map { $0["attributes"]?["garland.step.run"]?.intValue } == [1, 2])
    #expect(runs.map { $0["attributes"]?["garland.step.outcome"]?.stringValue } == ["failed", "passed"])
    #expect(runs.map { $0["attributes"]?["garland.step.flaky"]?.intValue } == [nil, 1])
    let requests = runs.map { Self.spans(spans, below: $0) }
    #expect(requests.map { $0.map { $0["attributes"]?["http.response.status_code"]?.intValue } } == [[503], [200]])
    #expect(requests.first?.first?["span"]?.stringValue == "0000000000000abc")
    #expect(Set(spans.map { $0["span"]?.stringValue }).count == spans.count)
  }

  private static let traced: StepResult = Fixture.result(0, .passed) {
    $0.exchanges = [Fixture.exchange("GET", "https://[::1]:8443/a?b", status: 200)]
    $0.exchanges[0].hops[0].requestFields.append(.init("traceparent", RunTrace(runID: "01J0RUN").parent(random: 0xABC)))
  }

  @Test func `the span of a request has the id from the request's traceparent header`() throws {
    let span = try #require(Self.spans(ReportText.run([Self.traced])).first { $0["kind"]?.intValue == 3 })
    #expect(span["span"]?.stringValue == "0000000000000abc")
    #expect(span["trace"]?.stringValue == RunTrace(runID: "01J0RUN").id)
    #expect(span["attributes"]?["server.address"]?.stringValue == "::1")
    #expect(span["attributes"]?["server.port"]?.intValue == 8_443)
  }

  @Test func `if a request's traceparent header belongs to another trace, the request's span ID is not taken from the header`() throws {
    let result = Fixture.result(0, .passed) {
      $0.exchanges = [Fixture.exchange("GET", "http://h/", status: 200)]
      $0.exchanges[0].hops[0].requestFields.append(.init("traceparent", RunTrace(runID: "other").parent(random: 0xABC)))
    }
    let span = try #require(Self.spans(ReportText.run([result])).first { $0["kind"]?.intValue == 3 })
    #expect(span["span"]?.stringValue != "0000000000000abc")
  }

  @Test func `in a trace, the span of each request in a redirect chain has the parent span that the traceparent header names`() throws {
    let result = Fixture.result(0, .passed) {
      $0.exchanges = Self.traced.exchanges
      var first = $0.exchanges[0].hops[0]
      first.status = 302
      $0.exchanges[0].hops.insert(first, at: 0)
    }
    let spans = try Self.spans(ReportText.run([result]))
    let hops = spans.filter { $0["parent"]?.stringValue == "0000000000000abc" }
    #expect(hops.count == 2 && hops.allSatisfy { $0["kind"]?.intValue == 3 })
    #expect(hops.map { $0["attributes"]?["http.response.status_code"]?.intValue } == [302, 200])
  }

  @Test func `a long run is split into several OTLP messages, and each message contains the resource attributes`() throws {
    let results = (0..<5_000).map { index in
      Fixture.result(1, .passed, from: index, milliseconds: 1) {
        $0.iteration = "n=\(index)"
        $0.iterationIndex = index
        $0.exchanges = [Fixture.exchange("GET", "http://h/", status: 200)]
        $0.endsStep = index == 4_999
      }
    }
    let text = try ReportText.of(.otlp, ReportText.run(results))
    let messages = text.split(separator: "\n")
    #expect(messages.count > 2)
    #expect(messages.allSatisfy { $0.hasPrefix(#"{"resourceSpans":[{"resource":"#) && $0.utf8.count < 2 << 20 })
    // The spans are those of the run, of the other steps, and two for each item.
    #expect(try Self.spans(ReportText.run(results)).count == 1 + 8 + 10_000)
  }

  @Test func `a secret in a URL is masked in a trace`() throws {
    let result = Fixture.result(0, .passed) { $0.exchanges = [Fixture.exchange("GET", "http://h/?t=s3cr%20et", status: 200)] }
    let text = try ReportText.of(.otlp, ReportText.run([result]), secrets: ["s3cr et"])
    #expect(!text.contains("s3cr") && text.contains("***"))
  }

  @Test func `trace IDs and span IDs are never zero and have their full number of digits`() {
    let trace = RunTrace(runID: "")
    #expect(trace.id.utf8.count == 32 && trace.span("run").utf8.count == 16)
    #expect(trace.parent(random: 0).hasSuffix("-0000000000000001-01"))
    #expect(trace.span("1/0") != trace.span("0/1"))
  }
}

import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

/// Tests of the content of the HTML report's page.
@Suite(.timeLimit(.minutes(2))) struct HTMLReportTests {
  @Test func `the HTML page in the program is up to date with its source files in the folder Page`() async throws {
    let result = try await ChildProcess.run(Repository.path(".ci/embed-page"), ["--check"])
    #expect(result.status == 0, "\(result.error)")
  }

  @Test func `the HTML page allows only its own script and style, and fetches nothing`() async throws {
    let page = try await HTMLPage(Fixture.pageEvents)
    let rest = try #require(page.data["page"]?.stringValue)
    #expect(rest.contains("default-src 'none'; script-src '\(PageText.scriptHash)'; style-src '\(PageText.styleHash)'; img-src data:;"))
    for word in ["src=\"", "@import", "url(http", "fetch(", "XMLHttpRequest", "import(", "WebSocket", "sendBeacon"] {
      #expect(!rest.contains(word), "\(word)")
    }
  }

  @Test func `the console and the HTML page recognise the same verbs at the beginning of a failure message`() throws {
    let words = try #require(PageText.script.firstMatch(of: /isContinued = \/\^\(\?:([^)]*)\)/)).1
    // `needs?` is both forms of the verb.
    let verbs = words.split(separator: "|").flatMap { $0.hasSuffix("s?") ? [$0.dropLast(2), $0.dropLast()] : [$0] }
    #expect(Set(verbs) == CheckFailure.verbs)
  }

  @Test func `the HTML page contains the same results and steps as the JSON report`() async throws {
    let page = try await HTMLPage(Fixture.pageEvents)
    let folder = try ScratchFolder()
    let reporter = try JSONReporter(
      path: "\(folder.path)/r.json", redactor: Redactor(), generator: "garland 1.0", hostname: "build-7", includesAllBodies: true)
    for event in Fixture.pageEvents { reporter.receive(event) }
    try reporter.finish()
    let report = try JSONValue(parsing: folder.text("r.json"))
    #expect(page.data["results"] == report["results"])
    #expect(page.data["steps"] == report["steps"])
  }

  @Test func `the HTML page made from a JSON report equals the HTML page of the run, byte for byte`() async throws {
    let folder = try ScratchFolder()
    let redactor = Redactor()
    redactor.register("s3cret-token")
    let reporter = try JSONReporter(
      path: "\(folder.path)/r.json", redactor: redactor, generator: "garland 1.0", hostname: "build-7", includesAllBodies: true)
    // A masked body is shorter, nanoseconds are lost, and the end is rounded separately.
    var result = Fixture.createFailed
    result.exchanges[0].responseBody = .init(bytes: Array("{\"token\":\"s3cret-token\"}".utf8), size: 24, type: "application/json")
    result.exchanges[0].hops[0].timing.requestStart = .nanoseconds(100_900)
    result.exchanges[0].hops[0].timing.requestSent = .nanoseconds(300_999)
    result.startedAt = .nanoseconds(2_000_900)
    result.endedAt = .nanoseconds(40_000_800)
    let events = Fixture.pageEvents.map { event in
      if case .stepEnded(let other) = event, other.step.index == 1 { RunEvent.stepEnded(result) } else { event }
    }
    for event in events { reporter.receive(event) }
    try reporter.finish()
    let recording = try RunRecording(SourceFile(name: "r.json", bytes: Array(folder.text("r.json").utf8)))
    let again: [RunEvent] =
      [.runStarted(recording.start)] + recording.notices.map { .notice($0) } + recording.results.map { .stepEnded($0) } + [
        .runEnded(recording.summary)
      ]
    let live = try await HTMLPage(events, secrets: ["s3cret-token"])
    let replayed = try await HTMLPage(again)
    #expect(live.data == replayed.data)
    #expect(live.text == replayed.text)
  }

  @Test func `the HTML page never interprets text from a run as markup`() async throws {
    let file = SourceFile(name: "<b>\"x\"</b>.yaml", bytes: Array("a:".utf8))
    let step = StepIdentity(
      index: 0, id: "a", file: file.name, workflow: "</script><script>alert(1)</script>", summary: "<!-- <script>", tags: [],
      range: SourceRange(file, 0..<1), action: "GET </script>", isCleanup: false)
    var result = StepResult(step: step, outcome: .failed, startedAt: .zero, endedAt: .milliseconds(1))
    result.exchanges = [Fixture.exchange("GET", "http://h/</script>", status: 500, body: "</script><script>alert(1)</script>")]
    let start = RunStart(runID: "<i>", startedAt: 0, steps: [step], dependencies: [[]], concurrency: 1)
    let page = try await HTMLPage([.runStarted(start), .stepEnded(result)])
    let rest = try #require(page.data["page"]?.stringValue)
    #expect(!rest.contains("<script>alert(1)") && !rest.contains("<b>") && !rest.contains("<i>"))
    #expect(rest.contains("&lt;b&gt;"))
    #expect(page.data["results"]?[0]?["exchanges"]?[0]?["responseBody"]?["text"] == "</script><script>alert(1)</script>")
  }

  @Test func `the HTML page contains no secret`() async throws {
    let secret = "s3cret-token"
    var result = Fixture.createFailed
    result.exchanges[0].hops[0].requestFields.append(.init("Authorization", "Bearer \(secret)"))
    result.exchanges[0].hops[0].url += "?key=\(secret)"
    result.exchanges[0].responseBody = .init(bytes: Array("x \(secret) y".utf8), size: 16, type: "text/plain")
    result.reason = secret
    result.iteration = secret
    let start = RunStart(
      runID: secret, startedAt: 0, steps: Fixture.steps, dependencies: Fixture.start.dependencies, concurrency: 1)
    let page = try await HTMLPage([.runStarted(start), .stepEnded(result)], secrets: [secret])
    #expect(!page.text.contains(secret))
    #expect(!page.data.jsonText().contains(secret))
    #expect(page.data.jsonText().contains("***"))
  }

  @Test(arguments: [(true, true), (false, false)])
  func `the HTML page contains bodies of passed steps only with the option for all bodies`(allBodies: Bool, isKept: Bool) async throws {
    let page = try await HTMLPage(Fixture.greenEvents, allBodies: allBodies)
    #expect((page.data["results"]?[1]?["exchanges"]?[0]?["responseBody"]?["text"] != nil) == isKept)
  }

  @Test func `the HTML page of an aborted run has a row for every step`() async throws {
    let page = try await HTMLPage([.runStarted(Fixture.start)])
    #expect(page.data["results"]?.arrayValue?.count == 9)
    #expect(page.data["page"]?.stringValue?.contains("<h1>The run broke off</h1>") == true)
  }

  @Test func `the HTML page of a run that could not start shows the errors`() async throws {
    let diagnostic = Diagnostic("wrong-type", "expected a list", at: nil)
    var summary = RunSummary()
    summary.refusal = RunRefusal([diagnostic], exitStatus: 2)
    let start = RunStart(runID: "", startedAt: 0, steps: [], dependencies: [], concurrency: 0)
    let page = try await HTMLPage([.runStarted(start), .notice(diagnostic), .runEnded(summary)])
    #expect(page.data["page"]?.stringValue?.contains("<h1>The run did not begin</h1>") == true)
    #expect(page.data["index"]?["notices"]?[0]?["message"] == "expected a list")
    #expect(page.data["page"]?.stringValue?.contains("0 documents") == false)
  }

  // MARK: Size

  @Test func `the HTML page has a higher size limit for bodies of failed steps than for bodies of passed steps`() {
    func result(_ outcome: Outcome, bytes: Int) -> StepResult {
      Fixture.result(0, outcome) {
        $0.exchanges = [Fixture.exchange("GET", "http://h/", status: 200)]
        $0.exchanges[0].responseBody = .init(bytes: Array(repeating: 0x61, count: bytes), size: bytes, type: "text/plain")
      }
    }
    var few = BodyBudget()
    for _ in 0..<20 { few.count(result(.failed, bytes: 60_000)) }
    few.count(result(.passed, bytes: 60_000))
    #expect(few.limits == (64 << 10, 16 << 10))
    var many = BodyBudget()
    for _ in 0..<20 { many.count(result(.failed, bytes: 60_000)) }
    for _ in 0..<10_000 { many.count(result(.passed, bytes: 30_000)) }
    #expect(many.limits == (64 << 10, 1 << 10))
    var failing = BodyBudget()
    for _ in 0..<100_000 { failing.count(result(.failed, bytes: 60_000)) }
    #expect(failing.limits.problems == 64 && failing.limits.others <= 16 << 10)
  }

  @Test(arguments: [(1_000, "0123456789"), (4, "0123"), (0, nil)])
  func `the HTML page cuts a body to the size limit and marks it as cut`(limit: Int, kept: String?) throws {
    let text = #"{"id":"a","exchanges":[{"hops":[],"responseBody":{"size":10,"text":"0123456789"}}]}"#
    let body = try JSONValue(parsing: BodyBudget.cut(Array(text.utf8)[...], to: limit))["exchanges"]?[0]?["responseBody"]
    #expect(body?["text"]?.stringValue == kept && body?["size"] == 10)
    #expect((body?["truncated"] == true) == (limit < 10))
    #expect((body?["cut"] == true) == (limit == 0))
  }

  @Test func `the HTML page does not cut a body in the middle of a character`() throws {
    let text = #"{"id":"a","exchanges":[{"hops":[],"responseBody":{"size":9,"text":"ääää!"}}]}"#
    let cut = try JSONValue(parsing: BodyBudget.cut(Array(text.utf8)[...], to: 3))
    #expect(cut["exchanges"]?[0]?["responseBody"]?["text"] == "ä")
  }
}

import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

/// Tests, in Chromium, of the page of a run with every outcome.
@Suite(.timeLimit(.minutes(15))) struct HTMLBrowserTests {
  /// One browser that all of these tests share.
  private static let looking = Task {
    try await HTMLPage(Fixture.pageEvents).look("outcomes,filters,keyboard,views,narrow,accessibility")
  }

  private func found(_ scenario: String) async throws -> JSONValue {
    let all = try await Self.looking.value
    return try #require(all[scenario])
  }

  private func step(_ name: String) async throws -> String {
    let steps = try await found("outcomes")["steps"]
    return try #require(steps?[name]?.stringValue)
  }

  @Test func `the HTML page logs no error and requests nothing from the network`() async throws {
    let all = try await Self.looking.value
    #expect(all["messages"] == [])
    #expect(all["requests"] == [])
  }

  @Test func `the header of the HTML page shows the name of the workflow and its file`() async throws {
    let page = try await HTMLPage(Fixture.pageEvents)
    #expect(page.data["page"]?.stringValue?.contains("<span>Bookshop smoke test (examples/shop.yaml)</span>") == true)
    #expect(try await step("health").contains("Bookshop smoke test"))
  }

  @Test func `the header of the HTML page shows the number of steps with each outcome`() async throws {
    let found = try await found("outcomes")
    #expect(found["heading"] == "1 failed, 1 error, 1 unreachable – interrupted by SIGINT")
    #expect(
      found["chips"] == [
        "✗ 1 failed", "! 1 error", "? 1 unreachable", "⊘ 2 blocked", "✗ 1 failed as allowed", "· 1 not run", "○ 1 skipped", "✓ 1 passed",
      ])
  }

  @Test(arguments: [
    ("health", ["✓ passed", "GET /health → 200", "EXTRACTED", "up"]),
    ("cover", ["⊘ blocked", "BLOCKED BY", "create"]),
    ("list", ["○ skipped", "when is false: ${vars.all}"]),
    (
      "slow",
      [
        "! error", "the connection was reset after 5 bytes of the body", "curl https://other.example/slow",
        "Cut: the first 5 B of 4.0 KiB.",
      ]
    ),
    ("gone", ["? unreachable", "the name down.example does not resolve", "no response"]),
    ("flaky", ["✗ failed (allowed)", "status is 503, expected 2xx", "2 EXCHANGES", "<h1>busy</h1>"]),
    ("remove", ["⊘ blocked", "cleanup: runs despite failures", "BLOCKED BY", "BECAUSE OF", "create"]),
    ("late", ["· not run", "the run was ended by SIGINT"]),
  ]) func `on the HTML page, a step's details show its outcome and the reason for the outcome`(name: String, words: [String]) async throws {
    let text = try await step(name)
    for word in words { #expect(text.contains(word), "\(word) in \(text)") }
  }

  @Test func `on the HTML page, the details of a failed step show expected and actual values and their difference`() async throws {
    let text = try await step("create")
    for words in [
      "status is 500, expected 201", "json $.id: found nothing", "-  \"id\": 7,", "the body has `error` and `detail`",
      "expect: { status: 201, json: { $.id: 7 } }", "^^^", "EXPECTATIONS: 0 OF 3 MET", "BLOCKED BECAUSE OF THIS STEP",
      "curl -X POST", "✗ json $.id: found nothing (not here)", "\"warehouse\": 3,", "1.3, TLS_AES_256_GCM_SHA384", "CN=shop.example",
      "sent 120 B of header, 16 B of body",
    ] { #expect(text.contains(words), "\(words) in \(text)") }
    #expect(text.replacing(/\s+/, with: " ").contains("BLOCKED BECAUSE OF THIS STEP ⊘ cover ⊘ remove"), "\(text)")
  }

  @Test func `the HTML page shows the actual value of a passed expectation unless the expectation names exactly this value`() async throws {
    let page = try await HTMLPage(Fixture.greenPageEvents)
    let text = try #require(try await page.look("outcomes")["outcomes"]?["steps"]?["create"]?.stringValue)
    for words in ["headers.Content-Type 201 found application/json", "json $ Dune found an object with 2 members", "json $.id 7"] {
      #expect(text.replacing(/\s+/, with: " ").contains(words), "\(words) in \(text)")
    }
    #expect(!text.contains("found 7"))
  }

  @Test func `on the HTML page, a default expectation that is not met is marked as failed`() async throws {
    let result = Fixture.result(1, .failed) {
      $0.checkCount = 1
      $0.exchanges = [Fixture.exchange("POST", Fixture.base + "/books", status: 500)]
      $0.failures = [CheckFailure(.expectation, subject: "status", message: "is 500, expected 2xx", at: Fixture.range("create:"))]
    }
    let found = try await HTMLPage(ReportText.run([result])).look("outcomes")
    let text = try #require(found["outcomes"]?["steps"]?["create"]?.stringValue)
    #expect(text.contains("1 by default") && text.contains("not met"), "\(text)")
  }

  @Test func `on the HTML page, a link to a step id offers a choice of steps if two files have a step with this id`() async throws {
    let found = try #require(try await HTMLPage(Fixture.twoFiles).look("addresses")["addresses"])
    let choice = try #require(found["#create"]?.stringValue).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      choice == "2 steps of this run have the address “create”: ✓ examples/a/shop.yaml#create ✓ examples/b/shop.yaml#create")
    #expect(found["#b/shop.yaml#create"]?.stringValue?.contains("examples/b/shop.yaml:6") == true)
    #expect(found["#nothing"]?.stringValue == "There is no step “nothing” in this run.")
    let names = found["names"]?.arrayValue?.compactMap(\.stringValue) ?? []
    #expect(names.sorted() == ["createexamples/a/shop.yaml", "createexamples/b/shop.yaml"])
  }

  @Test func `the HTML page displays a response body that is an image`() async throws {
    #expect(try await found("outcomes")["images"] == ["health": [1]])
  }

  @Test func `on the HTML page, the filters by outcome, tag and text show only the steps that match`() async throws {
    let found = try await found("filters")
    #expect(found["all"]?.arrayValue?.count == 9 && found["all"]?[0] == "create")
    #expect(found["failed"] == ["create"])
    #expect(found["tag"] == ["health"])
    #expect(found["slow"]?[0] == "slow")
    #expect(found["text"] == ["cover", "remove"] && found["words"] == "2 of 9 results")
    #expect(found["after"]?[0] == "health" && found["after"]?.arrayValue?.count == 9)
  }

  @Test func `keyboard keys move the selection in the list, the timeline and the graph of the HTML page`() async throws {
    let found = try await found("keyboard")
    #expect(found["home"] == "#create" && found["down"] == "#slow" && found["selected"] == "slow" && found["active"] == "true")
    #expect(found["end"] == "#health" && found["failure"] == "#create" && found["focus"] == "search")
    #expect(found["lane"]?.stringValue?.hasPrefix("health, passed") == true && found["zoomed"] == true)
    #expect(found["node"] == "#health")
  }

  @Test func `the timeline on the HTML page shows each step with the phases that took time, and names the critical path`() async throws {
    let found = try await found("views")
    let lanes = found["lanes"]?.arrayValue?.compactMap(\.stringValue) ?? []
    try #require(lanes.count == 5)
    #expect(lanes.map { $0.prefix { $0 != "," } } == ["health", "create", "slow", "gone", "flaky"])
    #expect(lanes[2].contains("on the critical path"))
    let phases = found["phases"]?.arrayValue?.compactMap(\.stringValue) ?? []
    #expect(["p-slot", "p-wait", "p-receive", "p-tls"].filter { !phases.contains($0) } == ["p-tls"])
    #expect(found["advice"]?.stringValue?.contains("Critical path: slow. This step takes 1.21 s of 1.25 s (97 %).") == true)
  }

  @Test func `on the HTML page, a step's bar in the timeline shows its total time even if its phases are very short`() async throws {
    let result = Fixture.result(0, .passed) {
      $0.readyAt = .zero
      ($0.startedAt, $0.endedAt) = (.microseconds(100), .microseconds(1_200))
      $0.exchanges = [Fixture.exchange("GET", Fixture.base + "/health", status: 200)]
      var timing = Exchange.Timing(total: .microseconds(80))
      (timing.requestStart, timing.requestSent, timing.firstByte) = (.microseconds(20), .microseconds(30), .microseconds(70))
      $0.exchanges[0].hops[0].timing = timing
    }
    let found = try await HTMLPage([.runStarted(Fixture.start), .stepEnded(result)]).look("outcomes")
    let text = found["outcomes"]?["steps"]?["health"]?.stringValue ?? ""
    #expect(text.contains("waiting for a slot 0.1 ms") && text.contains("preparing and checking 1.1 ms"), "\(text)")
  }

  @Test func `on the HTML page, the time of a step's token request does not count as the step's delay`() async throws {
    let result = Fixture.result(0, .passed, from: 1_000, milliseconds: 12) {
      $0.readyAt = .zero
      $0.delay = .seconds(1)
      $0.exchanges = ["/token", "/health"].map { Fixture.exchange("GET", Fixture.base + $0, status: 200) }
      for (index, (start, length)) in [(0, 990), (1_000, 12)].enumerated() {
        var timing = Exchange.Timing(total: .milliseconds(length))
        (timing.startedAt, timing.requestStart, timing.firstByte) = (.milliseconds(start), .zero, .milliseconds(length))
        $0.exchanges[index].hops[0].timing = timing
      }
    }
    let found = try await HTMLPage([.runStarted(Fixture.start), .stepEnded(result)]).look("outcomes")
    let text = found["outcomes"]?["steps"]?["health"]?.stringValue ?? ""
    #expect(text.contains("first byte 1.00 s") && text.contains("pauses 10 ms"), "\(text)")
  }

  @Test func `on the HTML page, no label on the timeline's axis is cut off`() async throws {
    let ticks = try #require(try await found("views")["ticks"]?.arrayValue)
    #expect(ticks.count > 5 && ticks.allSatisfy { $0 == true }, "\(ticks)")
  }

  @Test func `the graph of the HTML page has a node for each step and omits edges that are implied by other edges`() async throws {
    let found = try await found("views")
    #expect(found["nodes"]?.arrayValue?.count == 9)
    #expect(found["links"] == 3 && found["allLinks"] == 4)
  }

  @Test func `the printed HTML page shows the failures and a table of all steps`() async throws {
    let views = try await found("views")
    let paper = try #require(views["paper"]?.stringValue)
    #expect(paper.contains("What went wrong") && paper.contains("json $.id: found nothing") && paper.contains("GET /late"))
    // Several documents may have a step of the same name.
    #expect(paper.contains("examples/shop.yaml:9") && paper.contains("30 ms (allowed)"), "\(paper)")
    #expect(!paper.contains("Zoom in"))
  }

  @Test func `the printed HTML page shows the summary of the run even if the details of a step are open`() async throws {
    let found = try await found("narrow")
    #expect(found["facts"] == true && found["brokenCells"] == [])
  }

  @Test func `on a narrow screen, the HTML page shows the carets below long lines and all tabs in one row`() async throws {
    let found = try await found("narrow")
    #expect(found["carets"]?.arrayValue?.contains(false) == false && found["oneRowOfTabs"] == true)
  }

  @Test func `on a small screen, the list, the timeline and the graph of the HTML page are at least 200 pixels high`() async throws {
    let found = try await found("narrow")
    #expect(found["small"]?.arrayValue == Array(repeating: true, count: 9))
  }

  @Test func `on a phone, the HTML page is not wider than the screen, however long the names of the files are`() async throws {
    let events = Fixture.pageEvents.map { event -> RunEvent in
      guard case .runStarted(var start) = event else { return event }
      let file = SourceFile(name: "tests/\(String(repeating: "shop-", count: 20)).yaml", bytes: Fixture.shop.bytes)
      start.steps[0] = Fixture.step(0, "health", "GET /health", file: file, workflow: "A name of many words for one document")
      return .runStarted(start)
    }
    #expect(try await HTMLPage(events).look("phone")["phone"] == [true, true, true, true])
  }

  @Test func `on the HTML page, the labels of the timeline's axis do not overlap at any width of the window`() async throws {
    let events = ReportText.run([Fixture.result(0, .passed, milliseconds: 507)]) { $0.wallTime = .milliseconds(507) }
    #expect(try await HTMLPage(events).look("ticks")["ticks"] == [])
  }

  @Test func `if the fragment in the HTML page's URL names a view that is hidden, the list of steps is shown`() async throws {
    #expect(try await HTMLPage(Fixture.greenEvents).look("hidden")["hidden"] == [false, true])
  }

  @Test func `on a phone, the graph of the HTML page fits the screen and has readable names`() async throws {
    let found = try await found("narrow")
    #expect(found["graph"] == true)
  }

  @Test func `on the HTML page, long labels of a loop's items omit text that is the same in all labels`() async throws {
    let results = (0..<3).map { index in
      Fixture.result(1, .passed, from: index) {
        $0.iteration = "a customer of the north-western region with the number \(index + 8), and all orders of the last twelve months"
        $0.iterationIndex = index
        $0.endsStep = index == 2
      }
    }
    let found = try await HTMLPage(ReportText.run(results)).look("labels")
    #expect(found["labels"]?.arrayValue?.compactMap(\.stringValue) == ["8", "9", "10", "8", "9", "10"])
  }

  @Test func `on the HTML page, neither a long message nor the start of its source line is cut off`() async throws {
    let events = Fixture.pageEvents.map { event -> RunEvent in
      guard case .stepEnded(var result) = event, result.step.index == 1 else { return event }
      let message = "is something else than this document expects, which takes many words to say: " + String(repeating: "word ", count: 40)
      result.failures = [CheckFailure(.expectation, subject: "json $.id", message: message, at: Fixture.range("7", after: "$.id: "))]
      return .stepEnded(result)
    }
    #expect(try await HTMLPage(events).look("marks")["marks"] == [true, true])
  }

  @Test func `on the HTML page, axe-core finds no accessibility problem in any view, light or dark, wide or narrow`() async throws {
    let violations = try await found("accessibility")
    #expect(violations == [])
  }
}

import GarlandDiagnostics
import GarlandResults

@testable import GarlandReports

/// Recorded runs with the same events in each test, which include every outcome and kind of text.
enum Fixture {
  static let shopText = """
    garland: 1
    name: Bookshop smoke test
    steps:
      health:
        get: /health
      create:
        post: /books
        json: { title: Dune }
        expect: { status: 201, json: { $.id: 7 } }
      cover:
        put: /books/${create.id}/cover
      list:
        get: /books
        when: ${vars.all}
      slow:
        get: https://other.example/slow
      gone:
        get: http://down.example/
      flaky:
        get: /flaky
        allow_failure: true
      remove:
        delete: /books/${create.id}
      late:
        get: /late

    """
  static let shop = SourceFile(name: "examples/shop.yaml", bytes: Array(shopText.utf8))

  static func range(_ text: String, after start: String = "", in file: SourceFile = shop) -> SourceRange {
    let whole = String(decoding: file.bytes, as: UTF8.self)
    let from = start.isEmpty ? whole.startIndex : whole.firstRange(of: start)?.upperBound ?? whole.startIndex
    guard let found = whole[from...].firstRange(of: text) else { return SourceRange(file, 0..<0) }
    let offset = whole.utf8.distance(from: whole.startIndex, to: found.lowerBound)
    return SourceRange(file, offset..<offset + text.utf8.count)
  }

  static func step(
    _ index: Int, _ id: String, _ action: String, file: SourceFile = shop, workflow: String = "Bookshop smoke test", cleanup: Bool = false
  ) -> StepIdentity {
    StepIdentity(
      index: index, id: id, file: file.name, workflow: workflow, summary: nil, tags: index == 0 ? ["smoke"] : [],
      range: range("\(id):", in: file), action: action, isCleanup: cleanup)
  }

  static let steps = [
    step(0, "health", "GET /health"), step(1, "create", "POST /books"), step(2, "cover", "PUT /books/${create.id}/cover"),
    step(3, "list", "GET /books"), step(4, "slow", "GET https://other.example/slow"), step(5, "gone", "GET http://down.example/"),
    step(6, "flaky", "GET /flaky"), step(7, "remove", "DELETE /books/${create.id}", cleanup: true), step(8, "late", "GET /late"),
  ]

  static let start = RunStart(
    runID: "01J0RUN", startedAt: 1_795_222_800.25, steps: steps, dependencies: [[], [], [1], [], [], [], [], [1, 2], [4]], concurrency: 16)

  static func exchange(
    _ method: String, _ url: String, status: Int?, type: String? = "application/json", body: String = "", milliseconds: Int = 12,
    requestBody: String? = nil, error: String? = nil
  ) -> Exchange {
    var timing = Exchange.Timing(total: .milliseconds(milliseconds))
    if status != nil {
      timing.connect = .microseconds(300)
      timing.firstByte = .milliseconds(max(1, milliseconds - 1))
      timing.version = "1.1"
      timing.remoteAddress = "127.0.0.1:8080"
    }
    let hop = Exchange.Hop(
      method: method, url: url, requestFields: [.init("Host", "127.0.0.1:8080"), .init("Accept", "application/json")], status: status,
      responseFields: status == nil ? [] : [.init("Content-Type", type ?? "text/plain"), .init("Content-Length", "\(body.utf8.count)")],
      timing: timing)
    var exchange = Exchange(hops: [hop])
    if status != nil { exchange.responseBody = .init(bytes: Array(body.utf8), size: body.utf8.count, type: type) }
    if let requestBody {
      exchange.requestBody = .init(bytes: Array(requestBody.utf8), size: requestBody.utf8.count, type: "application/json")
    }
    exchange.error = error
    return exchange
  }

  static func result(
    _ index: Int, _ outcome: Outcome, from start: Int = 0, milliseconds: Int = 12, _ change: (inout StepResult) -> Void = { _ in }
  ) -> StepResult {
    var result = StepResult(
      step: steps[index], outcome: outcome, startedAt: .milliseconds(start), endedAt: .milliseconds(start + milliseconds))
    result.readyAt = .milliseconds(max(0, start - 1))
    change(&result)
    return result
  }

  static let base = "http://127.0.0.1:8080"

  /// The result of each step of `steps`, in the order in which they end.
  static var results: [StepResult] {
    [
      result(3, .skipped, milliseconds: 0) { $0.reason = "when is false: ${vars.all}" },
      result(0, .passed, milliseconds: 3) {
        $0.exchanges = [exchange("GET", base + "/health", status: 200, body: #"{"ok":true}"#, milliseconds: 3)]
        $0.checkCount = 1
        $0.extracted = [("up", "true")]
      },
      createFailed,
      result(2, .blocked, from: 40, milliseconds: 0) { $0.blockedBy = [steps[1]] },
      result(7, .blocked, from: 40, milliseconds: 0) { $0.blockedBy = [steps[2]] },
      result(6, .failed, milliseconds: 30) {
        $0.isFailureAllowed = true
        $0.exchanges = [
          exchange("GET", base + "/flaky", status: 503, type: "text/html", body: "<h1>busy</h1>\n"),
          exchange("GET", base + "/flaky", status: 503, type: "text/html", body: "<h1>busy</h1>\n"),
        ]
        var failure = CheckFailure(.expectation, subject: "status", message: "is 503, expected 2xx", at: range("/flaky"))
        failure.expected = "2xx"
        failure.actual = "503"
        $0.failures = [failure]
        $0.checkCount = 1
      },
      result(5, .unreachable, milliseconds: 80) {
        $0.reason = "the name down.example does not resolve"
        $0.exchanges = [
          exchange("GET", "http://down.example/", status: nil, milliseconds: 80, error: "the name down.example does not resolve")
        ]
        $0.exchanges[0].curlCommand = "curl http://down.example/"
      },
      result(4, .error, from: 10, milliseconds: 1_210) {
        $0.reason = "the connection was reset after 5 bytes of the body"
        $0.exchanges = [
          exchange(
            "GET", "https://other.example/slow", status: 200, type: "text/plain; charset=utf-8", body: "half ", milliseconds: 1_210,
            error: "the connection was reset after 5 bytes of the body")
        ]
        $0.exchanges[0].responseBody?.size = 4_096
        $0.exchanges[0].curlCommand = "curl https://other.example/slow"
      },
      result(8, .notRun, from: 1_250, milliseconds: 0) { $0.reason = "the run was ended by SIGINT" },
    ]
  }

  static var createFailed: StepResult {
    result(1, .failed, from: 2, milliseconds: 38) {
      $0.exchanges = [
        exchange(
          "POST", base + "/books", status: 500, body: #"{"error":"out of stock","detail":{"warehouse":3,"left":[]}}"#, milliseconds: 38,
          requestBody: #"{"title":"Dune"}"#)
      ]
      $0.exchanges[0].curlCommand =
        "curl -X POST 'http://127.0.0.1:8080/books' \\\n  -H 'Accept: application/json' \\\n  --json '{\"title\":\"Dune\"}'"
      var status = CheckFailure(.expectation, subject: "status", message: "is 500, expected 201", at: range("201"))
      status.expected = "201"
      status.actual = "500"
      var json = CheckFailure(.expectation, subject: "json $.id", message: "found nothing", at: range("$.id"))
      json.expected = "7"
      json.help = "the body has `error` and `detail`"
      var difference = CheckFailure(.expectation, subject: "json $", message: "differs from the expected value in 2 places", at: nil)
      difference.difference = [" {", "-  \"id\": 7,", "+  \"error\": \"out of stock\"", " }"]
      $0.failures = [status, json, difference]
      $0.checkCount = 3
    }
  }

  static var summary: RunSummary {
    var summary = RunSummary()
    for result in results { summary.count(result) }
    summary.wallTime = .milliseconds(1_252)
    summary.earlyEnd = EarlyEnd(.interrupt, "SIGINT")
    return summary
  }

  static var allEvents: [RunEvent] {
    [.runStarted(start)] + results.map { .stepEnded($0) } + [.interrupted(signal: "SIGINT", at: .milliseconds(1_245)), .runEnded(summary)]
  }

  /// A run with three steps that pass.
  static var greenEvents: [RunEvent] {
    let steps = Array(Fixture.steps[..<3])
    let results = [
      result(2, .passed, from: 5, milliseconds: 8) {
        $0.exchanges = [exchange("PUT", base + "/books/7/cover", status: 204, type: nil, milliseconds: 8)]
      },
      result(0, .passed, milliseconds: 3) { $0.exchanges = [exchange("GET", base + "/health", status: 200, body: "{}", milliseconds: 3)] },
      result(1, .passed, milliseconds: 5) {
        $0.exchanges = [
          exchange("POST", base + "/books", status: 201, body: #"{"id":7}"#, milliseconds: 5, requestBody: #"{"title":"Dune"}"#)
        ]
        $0.extracted = [("id", "7")]
      },
    ]
    var summary = RunSummary()
    for result in results { summary.count(result) }
    summary.wallTime = .milliseconds(14)
    let start = RunStart(
      runID: "01J0RUN", startedAt: 1_795_222_800.25, steps: steps, dependencies: [[], [], [1]], concurrency: 16)
    return [.runStarted(start)] + results.map { .stepEnded($0) } + [.runEnded(summary)]
  }
}

import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

/// A page of the HTML report, with the data that it contains in compressed form.
struct HTMLPage {
  let folder: ScratchFolder
  let text: String
  let data: JSONValue

  var path: String { "\(folder.path)/page.html" }

  init(_ events: [RunEvent], allBodies: Bool = true, secrets: [String] = [], unpacks: Bool = true) async throws {
    folder = try ScratchFolder()
    let redactor = Redactor()
    for secret in secrets { redactor.register(secret) }
    let reporter = try HTMLReporter(
      path: "\(folder.path)/page.html", redactor: redactor, generator: "garland 1.0", hostname: "build-7", includesAllBodies: allBodies)
    for event in events { reporter.receive(event) }
    try reporter.finish()
    text = folder.text("page.html")
    guard unpacks else {
      data = .null
      return
    }
    let unpacked = try await ChildProcess.run(
      "/usr/bin/python3", [Repository.path("Tests/Browser/unpack.py"), "\(folder.path)/page.html"])
    data = try JSONValue(parsing: unpacked.outputBytes)
  }

  /// Returns the results that Chromium finds for the page; see `Tests/Browser/report_page.py`.
  func look(_ scenarios: String) async throws -> JSONValue {
    let result = try await ChildProcess.run(
      Repository.path(".build/browser/bin/python"), [Repository.path("Tests/Browser/report_page.py"), scenarios, path])
    try #require(result.status == 0, "\(result.error) – `make test` installs what this needs")
    return try JSONValue(parsing: result.outputBytes)
  }
}

extension Fixture {
  /// A run with every outcome, descriptions of steps, an image, and phases.
  static var pageEvents: [RunEvent] {
    var start = start
    start.sources = steps.map { StepDefinition($0.range) }
    let block = range("create:\n    post: /books\n    json: { title: Dune }\n    expect: { status: 201, json: { $.id: 7 } }\n")
    start.sources[1] = StepDefinition(
      block, checks: [.init("status", at: range("201")), .init("json $.id", at: range("7", after: "$.id: "))])
    let results = results.map { result in
      var result = result
      for index in result.exchanges.indices { result.exchanges[index].hops = result.exchanges[index].hops.map { timed($0, in: result) } }
      if result.step.index == 0 { result.exchanges[0].responseBody = .init(bytes: image, size: image.count, type: "image/png") }
      return result
    }
    return [
      .runStarted(start), .notice(Diagnostic("likely-race", severity: .warning, "two steps may write at once", at: range("create:"))),
    ]
      + results.map { .stepEnded($0) } + [.interrupted(signal: "SIGINT", at: .milliseconds(1_245)), .runEnded(summary)]
  }

  /// A run with one step that passed, with expectations about a header field, the whole body and a node.
  static var greenPageEvents: [RunEvent] {
    var start = start
    start.sources = steps.map { StepDefinition($0.range) }
    let block = range("create:\n    post: /books\n    json: { title: Dune }\n    expect: { status: 201, json: { $.id: 7 } }\n")
    start.sources[1] = StepDefinition(
      block,
      checks: [
        .init("headers.Content-Type", at: range("201")), .init("json $", at: range("Dune")),
        .init("json $.id", at: range("7", after: "$.id: ")),
      ])
    let result = result(1, .passed) {
      $0.checkCount = 3
      $0.found = ["application/json", "an object with 2 members", "7"]
      $0.exchanges = [exchange("POST", "http://h/books", status: 201, body: #"{"id": 7, "title": "Dune"}"#)]
    }
    return [.runStarted(start), .stepEnded(result), .runEnded(summary)]
  }

  /// A run of two files with the same name in two folders, each with the step `create`.
  static var twoFiles: [RunEvent] {
    let files = ["a", "b"].map { SourceFile(name: "examples/\($0)/shop.yaml", bytes: Array(shopText.utf8)) }
    let steps = files.enumerated().map { step($0.offset, "create", "POST /books", file: $0.element) }
    let start = RunStart(runID: "01J0RUN", startedAt: 1_795_222_800.25, steps: steps, dependencies: [[], []], concurrency: 16)
    let results = steps.map { StepResult(step: $0, outcome: .passed, startedAt: .zero, endedAt: .milliseconds(5)) }
    return [.runStarted(start)] + results.map { .stepEnded($0) } + [.runEnded(summary)]
  }

  private static func timed(_ hop: Exchange.Hop, in result: StepResult) -> Exchange.Hop {
    var hop = hop
    hop.timing.startedAt = result.startedAt
    hop.timing.requestStart = hop.timing.connect.map { $0 + .microseconds(50) }
    hop.timing.sizes = .init(requestHead: 120, requestBody: 16, responseHead: 90, responseBody: 58)
    hop.timing.security = .init(version: "1.3", cipher: "TLS_AES_256_GCM_SHA384")
    hop.timing.security?.subject = "CN=shop.example"
    return hop
  }

  /// A picture of a red dot in PNG format.
  private static let image: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00,
    0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53, 0xDE, 0x00, 0x00, 0x00, 0x0C, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63,
    0xF8, 0xCF, 0xC0, 0x00, 0x00, 0x03, 0x01, 0x01, 0x00, 0xC9, 0xFE, 0x92, 0xEF, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE,
    0x42, 0x60, 0x82,
  ]
}

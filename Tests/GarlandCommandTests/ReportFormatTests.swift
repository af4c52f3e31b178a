import Foundation
import GarlandJSON
import GarlandReports
import GarlandSandbox
import Synchronization
import TestSupport
import Testing

/// Tests of reports of all formats with the command.
@Suite(.timeLimit(.minutes(15))) struct ReportFormatTests {
  static let steps = """
    health: { get: /health }
    hop: { get: /redirect/2, expect: { redirects: 2 } }
    form: { post: /anything, form: { a: 1, b: x y }, after: hop }
    wrong: { get: /anything?q=1, after: form, expect: { json: { $.nope: 1 } } }
    after: { get: /health, after: wrong }
    loop: { for_each: [0, 1], get: "/status/${200 + item}", expect: { status: 200 }, allow_failure: true }
    """

  private static func text(_ folder: TemporaryFolder, _ name: String) throws -> String {
    String(decoding: try folder.read(name), as: UTF8.self)
  }

  /// Returns the options for reports, such as `--report junit=out/report.xml`.
  private static func options(_ formats: [ReportFormat], in folder: String) -> [String] {
    formats.flatMap { ["--report", "\($0.rawValue)=\(folder)/\($0.fileName)"] }
  }

  /// The last lines of the command's output are not part of the run.
  @Test func `a report generated from the JSON report equals the report that the run writes`() async throws {
    let folder = try Garland.folder(steps: Self.steps)
    // The HTML page and JUnit have separate tests, and quote marks below source lines that only the document determines.
    let formats = ReportFormat.allCases.filter { ![.json, .html, .junit].contains($0) }
    let options = Self.options(formats, in: "out/first") + ["--report", "json=out/result.json", "--report-bodies", "all"]
    let result = try await Garland.run(["run", "w.yaml", "--sandbox"] + options, in: folder.path)
    #expect(result.status == 1, "\(result.error)")
    let again = try await Garland.run(["report", "out/result.json"] + Self.options(formats, in: "out/again"), in: folder.path)
    #expect(again.status == 0, "\(again.error)")
    for format in formats {
      let first = try Self.text(folder, "out/first/\(format.fileName)")
      #expect(try Self.text(folder, "out/again/\(format.fileName)") == first, "\(format)")
      #expect(first.utf8.count > 200, "\(format)")
    }
  }

  @Test(arguments: ReportFormat.allCases) func `the documentation page about reports has a row for each report format`(format: ReportFormat)
    throws
  {
    let page = try String(contentsOfFile: Repository.path("docs/reports.md"), encoding: .utf8)
    #expect(page.contains("\n| `\(format.rawValue)` | "))
  }

  @Test func `a workflow imported from the HAR archive of a run can be run`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try Garland.folder(steps: Self.steps)
    let environment = ["GARLAND_SANDBOX": sandbox.url]
    _ = try await Garland.run(["run", "w.yaml", "--report", "har=run.har"], environment: environment, in: folder.path)
    let imported = try await Garland.run(["import", "run.har"], in: folder.path)
    #expect(imported.status == 0, "\(imported.error)")
    try folder.write("again.yaml", imported.outputBytes)
    let result = try await Garland.run(["run", "again.yaml", "--report", "json=r.json"], in: folder.path)
    #expect(result.status == 0, "\(result.output)\(result.error)\(imported.output)")
    // Each hop of the redirect counts as a request.
    #expect(try JSONValue(parsing: folder.read("r.json"))["run"]?["requests"]?.intValue == 8)
  }

  // MARK: The summary of a job

  @Test func `the file in GITHUB_STEP_SUMMARY gets the same text as a Markdown report`() async throws {
    let folder = try Garland.folder(steps: Self.steps)
    let summary = try folder.write("summary.md", "# Before\n")
    let result = try await Garland.run(
      ["run", "w.yaml", "--sandbox", "--quiet", "--report", "markdown=report.md"], environment: ["GITHUB_STEP_SUMMARY": summary],
      in: folder.path)
    #expect(result.status == 1, "\(result.error)")
    let report = try Self.text(folder, "report.md")
    #expect(report.contains("❌ <code>wrong</code>"))
    #expect(try Self.text(folder, "summary.md") == "# Before\n" + report)
  }

  @Test func `a refused run writes the reason to the file in GITHUB_STEP_SUMMARY`() async throws {
    let folder = try Garland.folder(steps: "a: { gte: /health }")
    let summary = try folder.write("summary.md", "")
    let result = try await Garland.run(["run", "w.yaml"], environment: ["GITHUB_STEP_SUMMARY": summary], in: folder.path)
    #expect(result.status == 2)
    #expect(try Self.text(folder, "summary.md").contains("error[unknown-key]"))
  }

  @Test func `a job summary that can't be written causes a warning and does not change the exit status`() async throws {
    let folder = try Garland.folder(steps: "a: { get: /health }")
    let result = try await Garland.run(
      ["run", "w.yaml", "--sandbox"], environment: ["GITHUB_STEP_SUMMARY": "/dev/null/summary"], in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    #expect(result.error.contains("warning: no job summary: /dev/null/summary cannot be written: Not a directory"))
  }

  // MARK: Collectors

  /// Starts a collector for traces, and returns the requests that it receives.
  private static func collector(_ answer: String) throws -> (server: RawServer, requests: AsyncStream<(head: String, body: [UInt8])>) {
    let (requests, continuation) = AsyncStream.makeStream(of: (head: String, body: [UInt8]).self)
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        continuation.yield((request.head, request.body))
        connection.send(answer)
      }
    }
    return (server, requests)
  }

  private static let accepted = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"

  @Test(arguments: ["run", "report"])
  func `a trace is sent to an OpenTelemetry collector with the header field that an environment variable contains`(
    command: String
  ) async throws {
    let (server, requests) = try Self.collector(Self.accepted)
    let folder = try Garland.folder(steps: Self.steps)
    var arguments = ["run", "w.yaml", "--sandbox", "--report", "json=r.json"]
    if command == "report" {
      _ = try await Garland.run(arguments, in: folder.path)
      arguments = ["report", "r.json"]
    }
    let result = try await Garland.run(
      arguments + ["--report", "otlp=\(server.url)", "--report", "otlp=trace.jsonl"],
      environment: ["OTEL_EXPORTER_OTLP_HEADERS": "x-tenant=a%20b"], in: folder.path)
    #expect(result.status == (command == "run" ? 1 : 0), "\(result.error)")
    var iterator = requests.makeAsyncIterator()
    let request = try #require(await iterator.next())
    #expect(request.head.hasPrefix("POST /v1/traces HTTP/1.1\r\n"))
    #expect(request.head.lowercased().contains("content-type: application/json\r\n"))
    #expect(request.head.contains("x-tenant: a b\r\n"))
    #expect(String(decoding: request.body, as: UTF8.self) + "\n" == (try Self.text(folder, "trace.jsonl")))
  }

  @Test(arguments: [
    ("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n", "the collector answers with status 403"),
    (
      "HTTP/1.1 307 There\r\nLocation: http://127.0.0.1:1/?key=a\r\nContent-Length: 0\r\n\r\n",
      "the collector answers with status 307 and redirects to http://127.0.0.1:1/?…, which is not followed: name that URL"
    ),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 66\r\n\r\n{\"partialSuccess\":{\"rejectedSpans\":\"2\",\"errorMessage\":\"no space\"}}",
      "the collector refused 2 spans: no space"
    ),
  ]) func `if an OpenTelemetry collector refuses the trace, the error says so and the exit status is 4`(answer: String, words: String)
    async throws
  {
    let (server, _) = try Self.collector(answer)
    let folder = try Garland.folder(steps: "a: { get: /health }")
    let result = try await Garland.run(["run", "w.yaml", "--sandbox", "--report", "otlp=\(server.url)/v1/traces"], in: folder.path)
    #expect(result.status == 4, "\(result.error)")
    #expect(result.error.contains("error: \(server.url)/v1/traces: the report cannot be sent: \(words)"), "\(result.error)")
  }

  @Test func `if an OpenTelemetry collector responds with 503, the trace is sent again`() async throws {
    let answered = Atomic(false)
    let server = try RawServer { connection in
      while connection.readRequest() != nil {
        let isFirst = !answered.exchange(true, ordering: .relaxed)
        connection.send(isFirst ? "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n" : Self.accepted)
      }
    }
    let folder = try Garland.folder(steps: "a: { get: /health }")
    let result = try await Garland.run(["run", "w.yaml", "--sandbox", "--report", "otlp=\(server.url)"], in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    let isAnswered = answered.load(ordering: .relaxed)
    #expect(isAnswered)
  }

  @Test func `if an OpenTelemetry collector is unreachable, the error contains the reason and the exit status is 4`() async throws {
    let port = LoopbackPort.free()
    let folder = try Garland.folder(steps: "a: { get: /health }")
    let result = try await Garland.run(
      ["run", "w.yaml", "--sandbox", "--report", "otlp=http://user:pass@127.0.0.1:\(port)"], in: folder.path)
    #expect(result.status == 4, "\(result.error)")
    #expect(result.error.contains("error: http://127.0.0.1:\(port): the report cannot be sent: connection refused"), "\(result.error)")
    #expect(!result.error.contains("pass"))
  }

  // MARK: traceparent

  @Test func `if a step sets 'trace' to true, each attempt sends its span ID, and the trace report contains the same IDs`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "w.yaml",
      """
      garland: 1
      defaults: { base_url: "${env.GARLAND_SANDBOX}", trace: true }
      steps:
        echo: { get: /anything }
        again: { get: /status/503, retry: { limit: 2, delay: 1ms }, allow_failure: true }
        hop: { get: /redirect/1 }
        silent: { get: /anything, trace: false }

      """)
    let result = try await Garland.run(
      ["run", "w.yaml", "--sandbox", "--report", "json=r.json", "--report", "otlp=t.jsonl", "--report-bodies", "all"], in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    let spans = try #require(JSONValue(parsing: PythonPackages.read("otlp", folder.path + "/t.jsonl")).arrayValue)
    let report = try JSONValue(parsing: folder.read("r.json"))
    var count = 0
    for result in report["results"]?.arrayValue ?? [] {
      for exchange in result["exchanges"]?.arrayValue ?? [] {
        for hop in exchange["hops"]?.arrayValue ?? [] {
          let field = hop["requestHeaders"]?.arrayValue?.first { $0["name"]?.stringValue == "traceparent" }
          #expect((field == nil) == (result["id"]?.stringValue == "silent"))
          guard let parts = field?["value"]?.stringValue?.split(separator: "-").map(String.init) else { continue }
          count += 1
          let span = spans.first { $0["span"]?.stringValue == parts[2] && $0["trace"]?.stringValue == parts[1] }
          #expect(span?["attributes"]?["garland.exchange.label"]?.stringValue == exchange["label"]?.stringValue)
          let step = spans.first { $0["span"]?.stringValue == span?["parent"]?.stringValue }
          #expect(step?["name"] == result["id"])
        }
      }
    }
    // The spans are those of one request, three attempts, and two hops with one span.
    #expect(count == 6)
    // The server has received the value that the report contains.
    let seen = report["results"]?[0]?["exchanges"]?[0]?["responseBody"]?["text"]?.stringValue ?? ""
    #expect(spans.contains { seen.contains("-\($0["span"]?.stringValue ?? "?")-01") })
  }

  @Test(arguments: [
    ("defaults: { trace: /x }", "", "expected `true` or `false`, found the text `/x`"),
    ("defaults: { trace: null }", "", "`trace` has no value"),
    ("", ", trace: maybe", "a step can do only one thing, found `trace` and `get`"),
  ]) func `the trace setting of a step or of the defaults accepts only true and false`(defaults: String, key: String, words: String)
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\n\(defaults)\nsteps: { a: { get: \"http://127.0.0.1:1/\"\(key) } }\n")
    let result = try await Garland.run(["check", "w.yaml"], in: folder.path)
    #expect(result.status == 2)
    #expect(result.error.contains(words), "\(result.error)")
  }

  @Test func `a step that extends another step inherits the key 'trace', even if the URLs of the two steps differ`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "w.yaml",
      """
      garland: 1
      defaults: { base_url: "${env.GARLAND_SANDBOX}" }
      steps:
        base: { get: /health, trace: true }
        a: { extends: base, get: /anything, expect: { json: { $.header.traceparent: { exists: true } } } }
        b: { extends: base, trace: false, get: /anything, expect: { json: { $.header.traceparent: { exists: false } } } }

      """)
    let result = try await Garland.run(["run", "w.yaml", "--sandbox"], in: folder.path)
    #expect(result.status == 0, "\(result.output)\(result.error)")
  }

  @Test(arguments: ["ftp://127.0.0.1/", "https://"])
  func `a trace report is refused if its URL cannot be the URL of an OpenTelemetry collector`(
    url: String
  )
    async throws
  {
    let folder = try Garland.folder(steps: "a: { get: /health }")
    let result = try await Garland.run(["run", "w.yaml", "--sandbox", "--report", "otlp=\(url)"], in: folder.path)
    #expect(result.status == 2)
    #expect(result.error.contains("The URL \(url) is not that of a collector: write one such as http://localhost:4318."), "\(result.error)")
    #expect(folder.names == ["w.yaml"])
  }

  @Test func `a report other than a trace cannot be sent to a URL`() async throws {
    let folder = try Garland.folder(steps: "a: { get: /health }")
    let result = try await Garland.run(["run", "w.yaml", "--report", "har=http://127.0.0.1:1/"], in: folder.path)
    #expect(result.status == 2)
    #expect(result.error.contains("Only otlp goes to a URL: write `har=FILE`, or `otlp=URL`."))
    #expect(folder.names == ["w.yaml"])
  }
}

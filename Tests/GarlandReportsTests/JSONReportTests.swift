import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import GarlandText
import TestSupport
import Testing

@testable import GarlandReports

@Suite struct JSONReportTests {
  private func report(_ events: [RunEvent], allBodies: Bool = false, secrets: [String] = []) throws -> String {
    let folder = try ScratchFolder()
    let redactor = Redactor()
    for secret in secrets { redactor.register(secret) }
    let reporter = try JSONReporter(
      path: "\(folder.path)/report.json", redactor: redactor, generator: "garland 1.0", hostname: "build-7", includesAllBodies: allBodies)
    for event in events { reporter.receive(event) }
    try reporter.finish()
    #expect(folder.names == ["report.json"])
    return folder.text("report.json")
  }

  @Test func `the JSON report of a run with every outcome matches the golden file`() throws {
    let notice = Diagnostic("likely-race", severity: .warning, "two steps may write at once", at: Fixture.range("create:")).help(
      "add `after`"
    )
    .note("here")
    let text = try report([Fixture.allEvents[0], .notice(notice)] + Fixture.allEvents.dropFirst())
    expectGolden(text, "report.json")
    let report = try JSONValue(parsing: text)
    #expect(report["results"]?.arrayValue?.count == 9)
    #expect(report["results"]?.arrayValue?.map { $0["step"]?.intValue } == (0..<9).map { $0 })
    #expect(report["run"]?["exitStatus"]?.intValue == 130)
  }

  @Test func `bodies of passed steps are in the JSON report only with the option for all bodies`() throws {
    #expect(try !report(Fixture.greenEvents).contains("Dune"))
    #expect(try report(Fixture.greenEvents, allBodies: true).contains("Dune"))
  }

  @Test func `a body is written to the JSON report without loss, as text or as Base64`() throws {
    let result = Fixture.result(0, .failed) {
      $0.exchanges = [Fixture.exchange("GET", "http://h/", status: 500, body: "tab\t\"quote\" \u{1F600}")]
      $0.exchanges[0].requestBody = .init(bytes: [0xFF, 0xFE, 0x00, 0x41], size: 9, type: "image/png", file: "a.png")
    }
    let report = try JSONValue(parsing: report([.runStarted(Fixture.start), .stepEnded(result)]))
    let exchange = report["results"]?[0]?["exchanges"]?[0]
    #expect(exchange?["responseBody"]?["text"]?.stringValue == "tab\t\"quote\" \u{1F600}")
    #expect(exchange?["requestBody"]?["base64"]?.stringValue == "//4AQQ==")
    #expect(exchange?["requestBody"]?["truncated"]?.boolValue == true)
    #expect(exchange?["requestBody"]?["file"]?.stringValue == "a.png")
  }

  @Test(arguments: [true, false]) func `bytes are masked in the JSON report if their base64 form is a secret`(isComplete: Bool) throws {
    let secret = "//79/Pv6+fj39vX08/Lx8O/u7ezr6uno"
    let bytes = (0..<24).map { UInt8(0xFF - $0) }
    let result = Fixture.result(0, .failed) {
      $0.exchanges = [Fixture.exchange("POST", "http://h/", status: 500, body: "x")]
      $0.exchanges[0].requestBody = .init(
        bytes: isComplete ? bytes : Array(bytes.prefix(12)), size: 24, type: "application/octet-stream")
    }
    let text = try ReportText.of(.json, ReportText.run([result]), secrets: [secret])
    #expect(!text.contains("79/Pv6+fj3") && text.contains("***"), "\(text)")
  }

  /// In UTF-16, the bytes of the secret have zero bytes between them, regardless of the declared type.
  @Test(arguments: ["text/plain; charset=utf-16le", "text/plain", "application/json"])
  func `a secret in a UTF-16 body is masked whatever the content type is`(type: String) throws {
    let result = Fixture.result(0, .failed) {
      $0.exchanges = [Fixture.exchange("GET", "http://h/", status: 500, body: "x")]
      let bytes = "token s3cret-token é".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
      $0.exchanges[0].responseBody = .init(bytes: bytes, size: bytes.count, type: type)
    }
    let report = try JSONValue(parsing: report([.runStarted(Fixture.start), .stepEnded(result)], secrets: ["s3cret-token"]))
    #expect(report["results"]?[0]?["exchanges"]?[0]?["responseBody"]?["text"]?.stringValue == "token *** é")
  }

  @Test func `the JSON report and the console say whether a cached response was fresh, revalidated or stale`() throws {
    var exchanges: [Exchange] = []
    for source in [Exchange.Timing.Source.network, .cache, .validatedCache, .staleCache] {
      exchanges.append(Fixture.exchange("GET", "http://h/", status: 200))
      exchanges[exchanges.count - 1].hops[0].timing.source = source
    }
    let result = Fixture.result(0, .failed) { $0.exchanges = exchanges }
    let report = try JSONValue(parsing: report([.runStarted(Fixture.start), .stepEnded(result)]))
    let told = report["results"]?[0]?["exchanges"]?.arrayValue?.map { $0["hops"]?[0]?["cache"]?.stringValue }
    #expect(told == [nil, "hit", "validated", "stale"])
    let text = ExchangeText(mask: Mask(Redactor()), glyphs: .unicode)
    let lines = exchanges.map { text.lines($0, parts: .timing, bodyLimit: 0).map(\.plain) }
    let suffix = "connect 0.3 ms · wait 11 ms · transfer 1.0 ms · 12 ms in all · 127.0.0.1:8080"
    #expect(
      lines == [
        ["* \(suffix)"], ["* from the cache · \(suffix)"], ["* from the cache, unchanged on the server · \(suffix)"],
        ["* from the cache, stale · \(suffix)"],
      ])
  }

  @Test func `the JSON report and the console say that a request was sent again after its kept connection was lost`() throws {
    var exchange = Fixture.exchange("GET", "http://h/", status: 200)
    exchange.hops[0].timing.isSentAgain = true
    let result = Fixture.result(0, .failed) { $0.exchanges = [exchange] }
    let report = try JSONValue(parsing: report([.runStarted(Fixture.start), .stepEnded(result)]))
    #expect(report["results"]?[0]?["exchanges"]?[0]?["hops"]?[0]?["sentAgain"]?.boolValue == true)
    let lines = ExchangeText(mask: Mask(Redactor()), glyphs: .unicode).lines(exchange, parts: .timing, bodyLimit: 0).map(\.plain)
    let suffix = "connect 0.3 ms · wait 11 ms · transfer 1.0 ms · 12 ms in all · 127.0.0.1:8080"
    #expect(lines == ["* sent again: the kept connection was lost · \(suffix)"])
  }

  @Test func `a JSON report with masked secrets is valid JSON`() throws {
    // The second secret is also a word of the format, whose structure must stay intact.
    let secrets = ["qu\"ot\\ed/secret", "passed", "8675309"]
    let result = Fixture.result(0, .failed) {
      $0.reason = secrets[0]
      $0.extracted = [("token", "\"qu\\\"ot\\\\ed/secret\""), ("number", "8675309"), ("word", "\"passed\"")]
      $0.exchanges = [Fixture.exchange("GET", "http://h/", status: 500, body: #"{"n":8675309,"t":"qu\"ot\\ed/secret"}"#)]
    }
    let text = try report([.runStarted(Fixture.start), .stepEnded(result), .stepEnded(Fixture.results[1])], secrets: secrets)
    let report = try JSONValue(parsing: text)
    #expect(!text.contains("8675309"))
    #expect(!text.contains("ed/secret"))
    #expect(report["results"]?[0]?["extracted"]?["number"]?.stringValue == "***")
    #expect(report["results"]?[1]?["outcome"]?.stringValue == "passed")
  }

  @Test func `in the JSON report, the phases of a request add up to its total time`() throws {
    let result = Fixture.result(0, .passed) {
      $0.exchanges = [Fixture.exchange("GET", "http://h/", status: 200)]
      $0.exchanges[0].hops[0].timing.startedAt = .microseconds(1_500)
      $0.exchanges[0].hops[0].timing.requestStart = .microseconds(400)
    }
    let text = try report([.runStarted(Fixture.start), .stepEnded(result)])
    let hop = try JSONValue(parsing: text)["results"]?[0]?["exchanges"]?[0]?["hops"]?[0]
    #expect(hop?["startedAt"]?.doubleValue == 0.0015)
    #expect(hop?["phases"]?.jsonText() == #"{"queue":0.0001,"connect":0.0003,"wait":0.0106,"receive":0.001}"#)
  }

  @Test func `the JSON report of an aborted run lists all steps`() throws {
    let report = try JSONValue(parsing: report([.runStarted(Fixture.start), .stepEnded(Fixture.results[1])]))
    #expect(report["results"]?.arrayValue?.count == 9)
    #expect(report["run"]?["stoppedEarly"]?.stringValue == "the run broke off")
    #expect(report["run"]?["counts"]?["not run"]?.intValue == 8)
  }
}

import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import GarlandText
import TestSupport
import Testing

@testable import GarlandReports

@Suite struct HARTests {
  /// The HAR schemas of Debian's package node-har-schema, which `.ci/har-schema` fetches. They use draft-06, whose keywords are all valid
  /// in draft-07.
  private static func schema() throws -> JSONSchema {
    let document: JSONSchema.Resolver = { uri throws(JSONSchemaResolverError) in
      let name = uri.split(separator: "/").last.map(String.init) ?? uri
      let text = ScratchFolder.text(ofFile: Repository.path(".build/har-schema/\(name)"))
      guard case .object(var members)? = try? JSONValue(parsing: text) else {
        throw JSONSchemaResolverError(message: "\(name) is missing: `make test` fetches it")
      }
      members["$schema"] = nil
      return .object(members)
    }
    let options = JSONSchema.Options(defaultDraft: .draft7, assertsFormats: true, baseURI: "https://har.example/", resolver: document)
    return try JSONSchema(document("https://har.example/har.json"), options: options)
  }

  private static func entries(_ results: [StepResult], allBodies: Bool = true) throws -> [JSONValue] {
    let archive = try JSONValue(parsing: ReportText.of(.har, ReportText.run(results), includesAllBodies: allBodies))
    let failures = try schema().validate(archive)
    #expect(failures.isEmpty, "\(failures)")
    return try #require(archive["log"]?["entries"]?.arrayValue)
  }

  private static func sent(_ change: (inout Exchange) -> Void) -> StepResult {
    Fixture.result(0, .passed) {
      $0.exchanges = [Fixture.exchange("GET", "http://h/", status: 200, body: "{}")]
      change(&$0.exchanges[0])
    }
  }

  @Test func `the HAR file of a run with every outcome matches the golden file`() throws {
    expectGolden(try ReportText.of(.har, Fixture.allEvents), "report.har")
  }

  @Test func `the HAR archive of a run is valid against the schema of HAR 1.2`() throws {
    let schema = try Self.schema()
    for events in [[], Fixture.allEvents, Fixture.greenEvents] {
      let failures = try schema.validate(JSONValue(parsing: ReportText.of(.har, events)))
      #expect(failures.isEmpty, "\(failures)")
    }
  }

  @Test func `the comment of a HAR archive names the errors that belong to no step`() throws {
    let events = ReportText.run([Fixture.result(0, .passed)]) {
      $0.add(Diagnostic("undefined", "`a.json` has no member `x`", at: nil), .failed)
      $0.add(Diagnostic("file", "the file `jar` can't be written", at: nil))
    }
    let archive = try JSONValue(parsing: ReportText.of(.har, events))
    #expect(
      archive["log"]?["comment"]?.stringValue
        == "run 01J0RUN, exit status 1; error: `a.json` has no member `x`; error: the file `jar` can't be written")
  }

  @Test func `the HAR schema refuses an entry without timings`() throws {
    var text = try ReportText.of(.har, Fixture.greenEvents)
    text = text.replacing("\"timings\":", with: "\"times\":")
    #expect(try !Self.schema().isValid(JSONValue(parsing: text)))
  }

  @Test func `each request of a redirect chain becomes a HAR entry whose phases add up to its total time`() throws {
    let result = Self.sent { exchange in
      var first = exchange.hops[0]
      first.status = 302
      first.responseFields = [.init("Location", "/next"), .init("Set-Cookie", "a=b; Path=/; Secure; HttpOnly")]
      first.timing.startedAt = .milliseconds(7)
      exchange.hops[0].requestFields.append(.init("Cookie", "a=b; c=d; e"))
      exchange.hops[0].timing.startedAt = .milliseconds(20)
      exchange.hops[0].timing.nameLookup = .microseconds(100)
      exchange.hops[0].timing.connect = .microseconds(400)
      exchange.hops[0].timing.tls = .microseconds(2_400)
      exchange.hops[0].timing.requestStart = .microseconds(2_500)
      exchange.hops.insert(first, at: 0)
    }
    let entries = try Self.entries([result])
    #expect(entries.count == 2)
    #expect(entries[0]["startedDateTime"]?.stringValue == "2026-11-21T01:00:00.257Z")
    #expect(entries[0]["response"]?["redirectURL"]?.stringValue == "/next")
    #expect(
      entries[0]["response"]?["cookies"]?.jsonText() == #"[{"name":"a","value":"b","path":"/","httpOnly":true,"secure":true}]"#)
    #expect(entries[0]["response"]?["content"]?["text"] == nil)
    #expect(entries[1]["request"]?["cookies"]?.jsonText() == #"[{"name":"a","value":"b"},{"name":"c","value":"d"}]"#)
    #expect(
      entries[1]["timings"]?.jsonText()
        == #"{"blocked":0.1,"dns":0.1,"connect":2.3,"ssl":2,"send":0,"wait":8.5,"receive":1}"#)
    #expect(entries[1]["time"]?.doubleValue == 12)
    #expect(entries[1]["response"]?["content"]?["text"]?.stringValue == "{}")
  }

  @Test func `the HAR entry of a WebSocket step has its messages in the field that Chrome uses`() throws {
    let result = Self.sent { exchange in
      exchange.hops[0].status = 101
      exchange.hops[0].timing.startedAt = .milliseconds(7)
      var stream = Exchange.Stream(items: "messages", count: 1, timeToFirst: .milliseconds(6))
      var (sent, received) = (Exchange.Stream.Message(isSent: true, text: "hi"), Exchange.Stream.Message(isSent: false, text: "(3 bytes)"))
      (sent.time, received.time) = (.milliseconds(5), .milliseconds(6))
      received.isBinary = true
      stream.messages = [sent, received]
      stream.omittedMessages = 2
      exchange.stream = stream
    }
    let entry = try Self.entries([result])[0]
    #expect(entry["_resourceType"]?.stringValue == "websocket")
    let messages = try #require(entry["_webSocketMessages"]?.arrayValue)
    #expect(messages.map { $0["type"]?.stringValue } == ["send", "receive"])
    #expect(messages.map { $0["opcode"]?.intValue } == [1, 2])
    #expect(messages.map { $0["data"]?.stringValue } == ["hi", ""])
    #expect(messages.map { $0["time"]?.doubleValue } == [1_795_222_800.262, 1_795_222_800.263])
    #expect(messages[1]["comment"]?.stringValue == "(3 bytes)")
    #expect(entry["comment"]?.stringValue == "1 message, the first after 6.0 ms; 2 earlier messages not kept")
  }

  @Test func `a secret in a WebSocket message is masked in a HAR archive`() throws {
    let result = Self.sent { exchange in
      exchange.stream = Exchange.Stream(items: "messages", count: 1, timeToFirst: nil)
      exchange.stream?.messages = [.init(isSent: false, text: #"{"t":"s3cr et"}"#)]
    }
    let text = try ReportText.of(.har, ReportText.run([result]), secrets: ["s3cr et"], includesAllBodies: true)
    #expect(text.contains("_webSocketMessages") && !text.contains("s3cr"))
  }

  @Test func `the HAR entries are in the order in which their requests were sent`() throws {
    let results = [30, 10, 20].enumerated().map { index, start in
      Fixture.result(index, .passed) {
        $0.exchanges = [Fixture.exchange("GET", "http://h/\(start)", status: 200)]
        $0.exchanges[0].hops[0].timing.startedAt = .milliseconds(start)
      }
    }
    #expect(try Self.entries(results).map { $0["request"]?["url"]?.stringValue } == ["http://h/10", "http://h/20", "http://h/30"])
  }

  @Test func `a HAR archive contains a binary body as Base64, and only the beginning of a long body`() throws {
    let binary = Self.sent { $0.responseBody = .init(bytes: [0xFF, 0xFE, 0, 1], size: 4, type: "image/png") }
    let content = try Self.entries([binary])[0]["response"]?["content"]
    #expect(content?["text"]?.stringValue == "//4AAQ==" && content?["encoding"]?.stringValue == "base64")
    let size = HAREntry.bodyLimit + 10
    let long = Self.sent { $0.responseBody = .init(bytes: Array(repeating: 0x61, count: size), size: size, type: "text/plain") }
    let cut = try Self.entries([long])[0]["response"]?["content"]
    #expect(cut?["text"]?.stringValue?.utf8.count == HAREntry.bodyLimit)
    #expect(cut?["comment"]?.stringValue == "cut: only the beginning of 256 KiB")
    #expect(cut?["size"]?.intValue == size)
  }

  @Test func `if the size limit of a body is in the middle of a character, the body is cut before this character`() throws {
    let bytes = Array(repeating: UInt8(ascii: "a"), count: HAREntry.bodyLimit - 1) + Array("é and more".utf8)
    let result = Self.sent { $0.responseBody = .init(bytes: bytes, size: bytes.count, type: "text/plain") }
    let content = try Self.entries([result])[0]["response"]?["content"]
    #expect(content?["text"]?.stringValue?.utf8.count == HAREntry.bodyLimit - 1)
  }

  @Test func `the HAR archive omits the bodies of passed steps unless all bodies are requested`() throws {
    let result = Self.sent { $0.requestBody = .init(bytes: Array("a=b".utf8), size: 3, type: "text/plain") }
    let entry = try Self.entries([result], allBodies: false)[0]
    #expect(entry["response"]?["content"]?["text"] == nil)
    #expect(entry["request"]?["postData"]?["text"]?.stringValue == "")
  }

  @Test func `a secret is masked in the URL, query, header fields, cookies and bodies of a HAR archive`() throws {
    let result = Fixture.result(0, .failed) {
      $0.exchanges = [
        Fixture.exchange("POST", "http://h/?t=s3cr%20et", status: 500, body: #"{"t":"s3cr et"}"#, requestBody: #"{"t":"s3cr et"}"#)
      ]
      $0.exchanges[0].hops[0].requestFields += [.init("Cookie", "t=s3cr et"), .init("X-T", "s3cr et")]
      $0.exchanges[0].hops[0].responseFields += [.init("Set-Cookie", "t=s3cr et; Path=/")]
    }
    let text = try ReportText.of(.har, ReportText.run([result]), secrets: ["s3cr et"])
    #expect(!text.contains("s3cr"))
    #expect(text.contains("***"))
  }

  @Test func `in a HAR archive, a secret that contains '&' or ';' is masked before a query or Cookie field is split`() throws {
    let secret = "ab&cd=ef;gh+ij"
    let result = Fixture.result(0, .failed) {
      $0.exchanges = [Fixture.exchange("GET", "http://h/?t=\(secret)&u=1", status: 500)]
      $0.exchanges[0].hops[0].requestFields += [.init("Cookie", "t=\(secret); u=1")]
      $0.exchanges[0].hops[0].responseFields += [.init("Set-Cookie", "t=\(secret); Path=/")]
    }
    let text = try ReportText.of(.har, ReportText.run([result]), secrets: [secret])
    for part in ["ab", "cd", "ef", "gh", "ij"] { #expect(!text.contains("\"\(part)"), "\(part)") }
    #expect(text.contains(#"{"name":"u","value":"1"}"#))
  }

  @Test func `a HAR archive has an entry for a failed transfer, but none for a received callback`() throws {
    let came = Self.sent { $0.isIncoming = true }
    let entries = try Self.entries([came] + Fixture.results.filter { $0.step.index == 5 })
    #expect(entries.count == 1)
    #expect(entries[0]["response"]?["status"]?.intValue == 0)
    #expect(entries[0]["response"]?["_error"]?.stringValue == "the name down.example does not resolve")
  }
}

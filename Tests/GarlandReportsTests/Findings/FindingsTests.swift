import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

/// Tests of the mistakes of documents in the formats of other programs.
@Suite struct FindingsTests {
  static let text = "\u{FEFF}garland: 1\nsteps:\n  a: { get: \"http://h/😀é\", statsu: 200 }\n  b: { get: http://h/sw0rdfish }\n"
  static let file = SourceFile(name: "./my docs/ä:b.yaml", bytes: Array(text.utf8))

  static func range(_ part: String, in file: SourceFile = file) throws -> SourceRange {
    let text = String(decoding: file.bytes, as: UTF8.self)
    let found = try #require(text.utf8.firstRange(of: part.utf8))
    let start = text.utf8.distance(from: text.startIndex, to: found.lowerBound)
    return SourceRange(file, start..<start + part.utf8.count)
  }

  static func diagnostics() throws -> [Diagnostic] {
    let key = try range("statsu")
    return [
      Diagnostic("unknown-key", "unknown key `statsu`", at: key, label: "not a key of a step")
        .note("`b` has none", at: try range("  b:")).note("keys are lower case").help("did you mean `status`?", fix: .init(key, "status")),
      Diagnostic("likely-race", severity: .warning, "they may race for sw0rdfish", at: try range("http://h/sw0rdfish"))
        .choice(
          "write `after: a`, or the other way round",
          fix: .init(SourceRange(file, key.offsets.lowerBound..<key.offsets.lowerBound), "after: b\n")),
      Diagnostic("missing-file", "there is no such file", at: nil),
      Diagnostic("unknown-variable", "no document has it", at: SourceRange(SourceFile(name: "--var x", bytes: Array("x".utf8)), 0..<1)),
      Diagnostic("bad-version", "absolute", at: SourceRange(SourceFile(name: "/tmp/x y.yaml", bytes: Array("x".utf8)), 0..<1)),
    ]
  }

  static func findings() throws -> Findings {
    let redactor = Redactor()
    redactor.register("sw0rdfish")
    return Findings(try diagnostics(), redactor: redactor)
  }

  private static func value(_ bytes: [UInt8]) throws -> JSONValue { try JSONValue(parsing: String(decoding: bytes, as: UTF8.self)) }

  private static func pretty(_ bytes: [UInt8]) throws -> String {
    var pretty: [UInt8] = []
    JSONPrinter(options: .pretty).print(try value(bytes), into: &pretty)
    return String(decoding: pretty, as: UTF8.self) + "\n"
  }

  private static func schema(_ path: String) throws -> JSONSchema {
    try JSONSchema(JSONValue(parsing: ScratchFolder.text(ofFile: Repository.path(path))))
  }

  @Test func `the JSON output of garland check is valid for its schema`() throws {
    let schema = try Self.schema("schemas/diagnostics.schema.json")
    let json = try Self.value(Self.findings().json(generator: "garland 1.0"))
    #expect(try schema.validate(json) == [])
    #expect(try schema.validate(Self.value(Findings([], redactor: Redactor()).json(generator: "garland 1.0"))) == [])
    guard case .object(var other) = json else {
      Issue.record("no object")
      return
    }
    other["surprise"] = true
    #expect(try !schema.isValid(.object(other)))
  }

  @Test func `the SARIF log is valid against the published schema`() throws {
    let schema = try Self.schema("Tests/Fixtures/Published/sarif-schema-2.1.0.json")
    let log = try Self.value(Self.findings().sarif(version: "1.0.0"))
    #expect(try schema.validate(log) == [])
    #expect(try schema.validate(Self.value(Findings([], redactor: Redactor()).sarif(version: "1.0.0"))) == [])
    guard case .object(var other) = log else {
      Issue.record("no object")
      return
    }
    other["surprise"] = true
    #expect(try !schema.isValid(.object(other)))
  }

  @Test func `the SARIF log of mistakes in workflow files matches the golden file`() throws {
    expectGolden(try Self.pretty(Self.findings().sarif(version: "1.0.0")), "findings.sarif")
  }

  @Test func `columns in the SARIF log count UTF-16 code units without the byte order mark`() throws {
    let log = try Self.value(Self.findings().sarif(version: "1.0.0"))
    let results = try #require(log["runs"]?[0]?["results"]?.arrayValue)
    let result = try #require(results.first { $0["ruleId"]?.stringValue == "unknown-key" })
    let region = try #require(result["locations"]?[0]?["physicalLocation"]?["region"])
    let line = Array("  a: { get: \"http://h/😀é\", ".utf16)
    #expect(region["startLine"] == 3 && region["endLine"] == 3)
    #expect(region["startColumn"]?.intValue == line.count + 1)
    #expect(region["endColumn"]?.intValue == line.count + 1 + "statsu".count)
    #expect(log["runs"]?[0]?["columnKind"] == "utf16CodeUnits")
  }

  @Test func `paths in the SARIF log are relative references or file URIs`() throws {
    let text = String(decoding: try Self.findings().sarif(version: "1.0.0"), as: UTF8.self)
    #expect(text.contains(#""uri":"my%20docs/%C3%A4%3Ab.yaml","uriBaseId":"%SRCROOT%""#))
    #expect(text.contains(#""uri":"file:///tmp/x%20y.yaml"}"#))
    #expect(!text.contains("--var"))
  }

  @Test func `each issue in GitLab's Code Quality report has a path and a unique fingerprint`() throws {
    let twice = try Self.diagnostics() + Self.diagnostics()
    let issues = try #require(Self.value(Findings(twice, redactor: Redactor()).codeQuality()).arrayValue)
    #expect(issues.count == twice.count)
    let prints = issues.compactMap { $0["fingerprint"]?.stringValue }
    #expect(Set(prints).count == twice.count && prints.allSatisfy { $0.count == 32 })
    let issue = try #require(issues.first { $0["check_name"]?.stringValue == "unknown-key" })
    #expect(issue["location"]?["path"] == "my docs/ä:b.yaml" && issue["location"]?["lines"]?["begin"] == 3)
    #expect(issue["severity"] == "major")
    #expect(issue["description"] == "unknown key `statsu`: did you mean `status`?")
  }

  @Test func `the fingerprint of a Code Quality issue does not change when lines are added above its position`() throws {
    func fingerprint(_ text: String) throws -> String? {
      let file = SourceFile(name: "a.yaml", bytes: Array(text.utf8))
      let diagnostic = Diagnostic("unknown-key", "unknown key `statsu`", at: try Self.range("statsu", in: file))
      return try Self.value(Findings([diagnostic], redactor: Redactor()).codeQuality())[0]?["fingerprint"]?.stringValue
    }
    #expect(try fingerprint("statsu: 1") == fingerprint("# one\n\n# two\nstatsu: 1"))
  }

  @Test func `no output format of the check command shows a secret`() throws {
    let findings = try Self.findings()
    let logs = JobLog.allCases.flatMap { log in
      log.lines(
        for: findings.diagnostics,
        redactor: {
          let redactor = Redactor(); redactor.register("sw0rdfish"); return redactor
        }())
    }
    for bytes in [findings.json(generator: ""), findings.sarif(version: "1.0.0"), findings.codeQuality(), Array(logs.joined().utf8)] {
      #expect(!String(decoding: bytes, as: UTF8.self).contains("sw0rdfish"))
      #expect(String(decoding: bytes, as: UTF8.self).contains("***"))
    }
  }

  @Test func `the Code Quality report of a run lists failed steps in plan order, whatever the order in which they end`() throws {
    func report(_ events: [RunEvent]) throws -> String {
      let folder = try ScratchFolder()
      let reporter = try CodeQualityReporter(path: "\(folder.path)/q.json", redactor: Redactor())
      for event in events { reporter.receive(event) }
      try reporter.finish()
      return folder.text("q.json")
    }
    let text = try report(Fixture.allEvents)
    let issues = try #require(JSONValue(parsing: text).arrayValue)
    #expect(issues[0]["description"] == "the run ended early: interrupted by SIGINT")
    #expect(issues.count > 2 && issues.dropFirst().allSatisfy { $0["location"]?["path"] == "examples/shop.yaml" })
    #expect(try report([Fixture.allEvents[0]] + Fixture.allEvents.dropFirst().reversed()) == text)
    #expect(try JSONValue(parsing: report(Fixture.greenEvents)) == [])
    expectGolden(text, "code-quality.json")
  }
}

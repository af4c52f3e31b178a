import GarlandDiagnostics
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

@Suite struct JUnitTests {
  private func report(_ events: [RunEvent], secrets: [String] = []) throws -> String {
    let folder = try ScratchFolder()
    let redactor = Redactor()
    for secret in secrets { redactor.register(secret) }
    let reporter = try JUnitReporter(path: "\(folder.path)/junit.xml", redactor: redactor, hostname: "build-7")
    for event in events { reporter.receive(event) }
    #expect(folder.names.allSatisfy { $0.hasPrefix(".") })
    try reporter.finish()
    #expect(folder.names == ["junit.xml"])
    return folder.text("junit.xml")
  }

  @Test func `the JUnit report of a run that contains every kind of step outcome matches the golden file`() throws {
    let text = try report(Fixture.allEvents)
    expectGolden(text, "junit.xml")
    let xml = XMLCheck(text)
    #expect(xml.mistakes == [])
    #expect(xml["testcase"].count == 9)
    #expect(xml["testsuites"].first?.attributes["tests"] == "9")
    #expect(xml["testsuite"].first?.attributes["failures"] == "\(xml["failure"].count)")
    #expect(xml["testsuite"].first?.attributes["errors"] == "\(xml["error"].count)")
    #expect(xml["testsuite"].first?.attributes["skipped"] == "\(xml["skipped"].count)")
  }

  /// Returns the errors of libxml2 for a report, by the schema of Jenkins' xUnit plugin. Empty for a valid report.
  private func mistakes(in report: String) async throws -> String {
    let folder = try TemporaryFolder()
    let path = try folder.write("report.xml", report)
    let schema = Repository.path("Tests/Fixtures/Published/junit-10.xsd")
    let result = try await ChildProcess.run("/usr/bin/xmllint", ["--nonet", "--noout", "--schema", schema, path])
    return result.status == 0 ? "" : result.error
  }

  private static func retried(_ outcome: Outcome) -> [RunEvent] {
    let result = Fixture.result(0, outcome) {
      $0.exchanges = [503, 0, 200].map { Fixture.exchange("GET", "http://h/health", status: $0, type: "text/plain", body: "attempt") }
      $0.exchanges[1].error = "the connection was reset"
      $0.exchanges[1].label = "attempt 2"
      $0.exchanges[2].label = "attempt 3"
      if outcome != .passed { $0.failures = [CheckFailure(.expectation, subject: "status", message: "is 200, expected 201", at: nil)] }
    }
    return [.runStarted(Fixture.start), .stepEnded(result)]
  }

  @Test func `every JUnit report is valid against the Jenkins schema`() async throws {
    var summary = RunSummary()
    summary.refusal = RunRefusal([Diagnostic("unknown-key", "unknown key", at: Fixture.range("create:"))], exitStatus: 2)
    summary.runErrors = [Diagnostic("unwritable", "no room", at: nil)]
    summary.wallTime = .microseconds(1_234_567_891)
    let runs: [[RunEvent]] = [
      [], Fixture.greenEvents, Fixture.allEvents, Self.retried(.passed), Self.retried(.failed),
      [.runStarted(Fixture.start), .runEnded(summary)], ReportText.run(end: EarlyEnd(.deadline, "too late")),
    ]
    for events in runs { #expect(try await mistakes(in: report(events)) == "") }
    let invalid = try report(Fixture.greenEvents).replacing("<testcase ", with: "<testcase line=\"1\" ")
    #expect(try await mistakes(in: invalid).contains("line"))
  }

  @Test func `if a step passes after failed attempts, the JUnit report lists these attempts as flaky failures`() throws {
    let xml = XMLCheck(try report(Self.retried(.passed)))
    #expect(xml.mistakes == [])
    #expect(xml["testsuite"].first?.attributes["failures"] == "0" && xml["failure"].isEmpty)
    #expect(xml["flakyFailure"].map { $0.attributes["message"] } == ["attempt 1: status is 503"])
    #expect(xml["flakyError"].map { $0.attributes["message"] } == ["attempt 2: the connection was reset"])
    #expect(xml["stackTrace"].count == 2)
  }

  @Test func `if a step fails in every attempt, the JUnit report has one failure and lists the earlier attempts as reruns`() throws {
    let xml = XMLCheck(try report(Self.retried(.failed)))
    #expect(xml.mistakes == [])
    #expect(xml["failure"].count == 1 && xml["rerunFailure"].count == 1 && xml["rerunError"].count == 1)
    #expect(xml["testsuite"].first?.attributes["failures"] == "1")
  }

  @Test(arguments: ReportText.ends)
  func `if a run does not succeed although no step failed, the JUnit report has one error with the reason`(
    end: EarlyEnd?, error: String
  ) throws {
    let xml = XMLCheck(try report(ReportText.run(end: end)))
    #expect(xml.mistakes == [])
    #expect(xml["failure"].isEmpty && xml["error"].map { $0.attributes["message"] } == [error])
    #expect(xml["testsuites"].first?.attributes["errors"] == "1")
  }

  @Test func `in the JUnit report, the requests of a polling or paginated step do not count as repeated attempts`() throws {
    let result = Fixture.result(0, .passed) {
      $0.exchanges = [200, 200].map { Fixture.exchange("GET", "http://h/health", status: $0, type: "text/plain", body: "x") }
      $0.exchanges[1].label = "poll 2"
    }
    let xml = XMLCheck(try report([.runStarted(Fixture.start), .stepEnded(result)]))
    #expect(xml["flakyFailure"].isEmpty && xml["flakyError"].isEmpty)
  }

  @Test func `the JUnit report is the same for any order in which the steps end`() throws {
    var events = Fixture.allEvents
    events.swapAt(2, 9)
    events.swapAt(1, 7)
    #expect(try report(events) == report(Fixture.allEvents))
  }

  /// The attributes that a file's steps share are computed once, and again for another file or after a new secret was registered.
  @Test func `a secret that is registered during the run is masked in the class names of later JUnit test cases`() {
    let redactor = Redactor()
    var testCase = JUnitCase(mask: Mask(redactor))
    func file(_ name: String) -> String {
      let step = Fixture.step(0, "a", "GET /", file: SourceFile(name: name, bytes: Array("a:".utf8)))
      var bytes: [UInt8] = []
      let result = StepResult(step: step, outcome: .passed, startedAt: .zero, endedAt: .milliseconds(1_214))
      testCase.append(result, time: result.duration, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    for name in ["one", "one", "two", "one"] {
      #expect(
        file("in/\(name).yaml")
          == "    <testcase classname=\"in.\(name)\" name=\"a\" time=\"1.214\"/>\n")
    }
    #expect(file("hidden/one.yaml").contains("hidden"))
    redactor.register("hidden")
    #expect(!file("hidden/one.yaml").contains("hidden"))
  }

  @Test func `names and bodies with any bytes give a valid JUnit report`() throws {
    var nasty = (0..<0x300).compactMap { Unicode.Scalar($0) }.reduce(into: "") { $0.unicodeScalars.append($1) }
    nasty += "]]> <![CDATA[ </testcase> & \u{FFFE}\u{FFFF}\u{10FFFF}\u{2028}"
    let result = Fixture.result(0, .failed) {
      $0.iteration = nasty
      $0.exchanges = [Fixture.exchange("GET", "http://h/" + nasty, status: 500, type: nasty, body: nasty)]
      $0.exchanges[0].requestBody = .init(bytes: (0...255).map { $0 }, size: 256, type: "text/plain; charset=utf-8")
      $0.exchanges[0].error = nasty
      $0.failures = [CheckFailure(.value, subject: nasty, message: nasty, at: nil)]
      $0.failures[0].excerpt = nasty
      $0.failures[0].expected = nasty
    }
    let xml = XMLCheck(try report([.runStarted(Fixture.start), .stepEnded(result)]))
    #expect(xml.mistakes == [])
    #expect(xml["system-out"].count == 1)
  }

  @Test func `the JUnit report of an aborted run lists all steps`() throws {
    let xml = XMLCheck(try report([.runStarted(Fixture.start), .stepEnded(Fixture.results[1])]))
    #expect(xml.mistakes == [])
    #expect(xml["testcase"].count == 9)
    #expect(xml["skipped"].count == 8)
    #expect(xml["skipped"].first?.attributes["message"] == "not run: the run ended before its turn")
  }

  @Test func `a run that never started gives an empty JUnit report`() throws {
    let xml = XMLCheck(try report([]))
    #expect(xml.mistakes == [])
    #expect(xml["testsuites"].first?.attributes["tests"] == "0")
  }

  @Test func `the JUnit report has a test suite for each document of the run`() throws {
    let other = SourceFile(name: "./b/auth.v2.yaml", bytes: Array("login:".utf8))
    let steps = [Fixture.step(0, "health", "GET /"), Fixture.step(1, "login", "GET /", file: other, workflow: "Auth <1>")]
    let xml = XMLCheck(
      try report([
        .runStarted(RunStart(runID: "r", startedAt: 0, steps: steps, dependencies: [[], []], concurrency: 1)),
        .stepEnded(StepResult(step: steps[1], outcome: .passed, startedAt: .zero, endedAt: .seconds(2))),
        .stepEnded(StepResult(step: steps[0], outcome: .passed, startedAt: .seconds(1), endedAt: .seconds(2))),
      ]))
    #expect(xml.mistakes == [])
    #expect(xml["testsuite"].map { $0.attributes["name"] } == ["Bookshop smoke test", "Auth <1>"])
    #expect(xml["testsuite"].map { $0.attributes["time"] } == ["1", "2"])
    #expect(xml["testcase"].map { $0.attributes["classname"] } == ["examples.shop", "b.auth_v2"])
  }

  @Test func `the JUnit report masks a secret in attributes, text and escaped forms`() throws {
    let secret = "pass<word>&\"quoted\""
    let result = Fixture.result(0, .failed) {
      $0.exchanges = [Fixture.exchange("GET", "http://h/", status: 500, type: "text/plain", body: "x \(secret) y")]
      $0.failures = [CheckFailure(.expectation, subject: "body", message: "is \(secret)", at: nil)]
    }
    let text = try report([.runStarted(Fixture.start), .stepEnded(result)], secrets: [secret])
    #expect(XMLCheck(text).mistakes == [])
    #expect(!text.contains("pass") || !text.contains("word&gt;"))
    #expect(text.contains("***"))
  }

  @Test func `the JUnit report lists 100,000 test cases in plan order`() throws {
    let count = 20_000
    let steps = (0..<count).map { Fixture.step($0, "s\($0)", "GET /\($0)") }
    let folder = try ScratchFolder()
    let reporter = try JUnitReporter(path: "\(folder.path)/big.xml", redactor: Redactor(), hostname: "h")
    reporter.receive(
      .runStarted(RunStart(runID: "r", startedAt: 0, steps: steps, dependencies: steps.map { _ in [] }, concurrency: 1)))
    for place in 0..<count {
      let step = steps[(place * 7_919) % count]
      reporter.receive(.stepEnded(StepResult(step: step, outcome: .passed, startedAt: .zero, endedAt: .seconds(1))))
    }
    try reporter.finish()
    var expected = 0
    for line in folder.text("big.xml").split(separator: "\n") where line.hasPrefix("    <testcase") {
      #expect(line.contains("name=\"s\(expected)\""))
      expected += 1
    }
    #expect(expected == count)
  }
}

import GarlandDiagnostics
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

/// Tests of responses that were read item by item, in reports.
@Suite struct StreamReportTests {
  @Test(arguments: [
    (Exchange.Stream(items: "events", count: 1, timeToFirst: .milliseconds(20)), "1 event, the first after 20 ms"),
    (Exchange.Stream(items: "events", count: 12_345, timeToFirst: nil), "12,345 events"),
  ])
  func `reports show the number of items in a response stream and the time of the first item`(
    _ stream: Exchange.Stream, _ words: String
  ) {
    #expect(StreamWords.text(of: stream, Mask(Redactor())) == words)
  }

  @Test(arguments: [
    (TransferProgress.Items(count: 3, name: "events", expected: 10), "3/10 events"),
    (TransferProgress.Items(count: 1, name: "events", expected: nil), "1 event"),
  ])
  func `the progress of a step that reads a stream shows the number of items read so far`(_ items: TransferProgress.Items, _ words: String)
  {
    #expect(StreamWords.text(of: items) == words)
  }

  /// Returns a run of one step that read a stream.
  private static func events(_ outcome: Outcome) -> [RunEvent] {
    let result = Fixture.result(1, outcome) { result in
      var exchange = Fixture.exchange("GET", "http://h/feed", status: 200, body: "data: 1")
      exchange.stream = Exchange.Stream(items: "events", count: 12, timeToFirst: .milliseconds(20))
      result.exchanges = [exchange]
      if outcome != .passed { result.failures = [CheckFailure(.expectation, subject: "events.count", message: "too few", at: nil)] }
    }
    return [.runStarted(Fixture.start), .stepEnded(result), .runEnded(Fixture.summary)]
  }

  @Test func `on the HTML page of a run, a step that reads an event stream shows the number of events`() async throws {
    let page = try await HTMLPage(Self.events(.passed))
    let text = try #require(try await page.look("outcomes")["outcomes"]?["steps"]?["create"]?.stringValue)
    #expect(text.contains("12 events, the first after 20 ms"), "\(text)")
  }

  @Test func `for a failed step that reads a stream, the console shows the number of items`() throws {
    let console = ConsoleHarness()
    try console.run(Self.events(.failed))
    #expect((console.standardOutput.text + console.standardError.text).contains("12 events, the first after 20 ms"))
  }

  @Test func `for a step that reads a stream, the live view shows the number of items instead of bytes`() {
    let console = ConsoleHarness(width: 100, height: 24, errorWidth: 100)
    var terminal = VirtualTerminal(columns: 100, rows: 24)
    let step = Fixture.steps[0]
    for event: RunEvent in [
      .runStarted(Fixture.start), .stepStarted(step, StepStart(at: .milliseconds(1))),
      .stepProgressed(
        step, iteration: nil,
        TransferProgress(
          bytesReceived: 9 << 20, bytesExpected: nil, bytesSent: 0, bytesToSend: nil, items: .init(count: 3, name: "events", expected: 10))),
    ] { console.reporter.receive(event) }
    console.clock.advance(.milliseconds(1_200))
    console.reporter.flush()
    terminal.write(console.standardOutput.text)
    #expect(terminal.everything.contains("3/10 events"))
  }
}

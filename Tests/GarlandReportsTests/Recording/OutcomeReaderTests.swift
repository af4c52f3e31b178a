import GarlandDiagnostics
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

/// Tests of reading only the outcomes and times of a JSON report.
@Suite struct OutcomeReaderTests {
  private static func read(_ text: String) -> (results: [OutcomeReader.Result], reader: OutcomeReader) {
    var reader = OutcomeReader()
    let bytes = Array(text.utf8)
    let results = stride(from: 0, to: bytes.count, by: 100).flatMap { reader.read(Array(bytes[$0..<min($0 + 100, bytes.count)])) }
    return (results, reader)
  }

  @Test func `a JSON report that is read piece by piece gives the same outcomes and times as the whole report`() throws {
    for events in [Fixture.allEvents, Fixture.greenEvents, QuarantineReportTests.events] {
      let text = try ReportText.of(.json, events)
      let recording = try RunRecording(SourceFile(name: "r.json", bytes: Array(text.utf8)))
      let (results, reader) = Self.read(text)
      #expect(reader.isComplete && reader.exitStatus == Int(recording.summary.exitStatus) && reader.runID == recording.start.runID)
      #expect(reader.startedAt == recording.start.startedAt)
      #expect(reader.quarantined == recording.start.steps.filter { $0.quarantine != nil }.map { StepName($0) })
      try #require(results.count == recording.results.count)
      for (result, expected) in zip(results, recording.results) {
        #expect(StepName(file: result.file, id: result.id) == StepName(expected.step))
        #expect(result.outcome == expected.outcome && result.isFlaky == expected.isFlaky)
        #expect(result.isFailureAllowed == expected.isFailureAllowed && result.itemCount == expected.itemCount)
        #expect(result.duration == expected.duration && result.delay == expected.delay)
        let first = expected.earlier.first ?? expected
        #expect(result.firstStart == first.startedAt && result.firstDuration == first.duration)
      }
    }
  }

  @Test(arguments: [(true, "#2"), (false, nil)] as [(Bool, String?)])
  func `the name of a result contains the number of a repetition only in the report of a repeated run`(
    isRepeated: Bool, repetition: String?
  ) throws {
    var start = Fixture.start
    start.isRepeated = isRepeated
    let item = Fixture.result(0, .passed) { $0.iteration = "#2 a" }
    let text = try ReportText.of(.json, [.runStarted(start)] + ReportText.run([item]).dropFirst())
    #expect(Self.read(text).results.first?.repetition == repetition)
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"format":"garland-report/1"}"#, #"{"format":"garland-report/2","run":{},"results":[]}"#,
    #"{"format":"garland-report/1","run":{},"results":[{"id":"a","file":"w.yaml","outcome":"green"}]}"#,
    #"{"format":"garland-report/1","run":{},"results":[{"id":"a","outcome":"passed"}]}"#,
    #"{"format":"garland-report/1","run":{},"results":["#,
  ])
  func `a JSON report that is truncated or invalid is not treated as a complete report`(text: String) {
    #expect(!Self.read(text).reader.isComplete)
  }

  @Test(arguments: [
    ("", false), (#"{"format":"garland-report/1","run":{},"results":["#, false), ("\u{0}", true), ("garland: 1", true),
    (#"{"format":"garland-report/2","#, true), (#"{"results":[{"id":"a","outcome":"passed"},"#, true),
  ])
  func `the incremental reader of JSON reports refuses a text as soon as its beginning cannot belong to a valid report`(
    text: String, isInvalid: Bool
  ) {
    #expect(Self.read(text).reader.isInvalid == isInvalid)
  }
}

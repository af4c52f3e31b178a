import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import Synchronization
import Testing

@testable import GarlandReports

/// Tests of the limits of the numbers in a JSON report.
///
/// The tests run one after the other, since they share the largest numbers that they find.
@Suite(.serialized) struct ReportNumberTests {
  /// JSON reports that together have every number of the format.
  private static func reports() throws -> [JSONValue] {
    let load = try LoadReportTests.events(LoadReportTests.load(), shard: 1)
    return try [Fixture.allEvents, RunRecordingTests.flakyShard, RunRecordingTests.measured, QuarantineReportTests.events, load].map {
      try JSONValue(parsing: Array(ReportText.of(.json, $0).utf8))
    }
  }

  /// The place of a number in a report, and the kind of this place, in which `*` stands for each index of a list.
  private typealias Place = (path: [String], kind: [String])

  /// The largest number that each kind of place permits, found by trying.
  private static let largest = Mutex<[[String]: Int]>([:])

  /// Returns the places of the numbers in a report, one for each kind of place. Values that steps extracted are not numbers of the report.
  private static func places(in value: JSONValue) -> [Place] {
    var places: [Place] = []
    var seen: Set<[String]> = []
    func search(_ value: JSONValue, _ place: [String], _ kind: [String]) {
      switch value {
      case .number: if seen.insert(kind).inserted { places.append((place, kind)) }
      case .object(let members):
        for (name, value) in members where name != "extracted" { search(value, place + [name], kind + [name]) }
      case .array(let elements):
        for (index, element) in elements.enumerated() { search(element, place + ["\(index)"], kind + ["*"]) }
      default: break
      }
    }
    search(value, [], [])
    return places
  }

  /// Returns a report with another number at a place.
  private static func replacing(_ place: ArraySlice<String>, in value: JSONValue, with number: JSONValue) -> JSONValue {
    guard let name = place.first else { return number }
    if var object = value.objectValue, let member = object[name] {
      object[name] = replacing(place.dropFirst(), in: member, with: number)
      return .object(object)
    }
    if var array = value.arrayValue, let index = Int(name), array.indices.contains(index) {
      array[index] = replacing(place.dropFirst(), in: array[index], with: number)
      return .array(array)
    }
    return value
  }

  private static func recording(_ report: JSONValue) throws(RecordingError) -> RunRecording {
    try RunRecording(SourceFile(name: "r.json", bytes: Array(report.jsonText().utf8)))
  }

  private static func render(_ recording: RunRecording) throws {
    let events =
      [RunEvent.runStarted(recording.start)] + recording.results.map { .stepEnded($0) } + [.runEnded(recording.summary)]
    for format in ReportFormat.allCases { #expect(try !ReportText.of(format, events).isEmpty, "\(format)") }
  }

  /// Returns a report in which each number is the largest one that the recording accepts.
  ///
  /// - Parameter isKept: whether the number at a place stays as it is.
  private static func maximal(_ report: JSONValue, keeping isKept: ([String]) -> Bool) throws -> JSONValue {
    var report = report
    for place in places(in: report) where !isKept(place.path) {
      func changed(_ number: Int) -> JSONValue { replacing(place.path[...], in: report, with: JSONValue(number)) }
      let number =
        largest.withLock { $0[place.kind] }
        ?? [Int.max, 1 << 40, (1 << 31) - 1, 999_999_999].first { (try? recording(changed($0))) != nil }
      guard let number else { continue }
      largest.withLock { $0[place.kind] = number }
      report = changed(number)
    }
    return report
  }

  @Test func `a JSON report with a negative or a huge number is refused, and the message names the place of the number`() throws {
    for report in try Self.reports() {
      let places = Self.places(in: report)
      #expect(places.count > 15)
      for place in places {
        for number in ["-1", "-0.5", "1e300", "9223372036854775808"] {
          let value = JSONValue.number(try #require(JSONNumber(number)))
          let changed = Self.replacing(place.path[...], in: report, with: value)
          do throws(RecordingError) {
            _ = try Self.recording(changed)
            Issue.record("accepted: \(number) at \(place.path)")
          } catch {
            let message = error.diagnostic.message
            #expect(message.hasPrefix("`/\(place.path.joined(separator: "/"))` is "), "\(message)")
          }
        }
      }
    }
  }

  @Test func `if a result in a JSON report has a negative or huge time, the piecewise reader refuses the report`() throws {
    let report = try JSONValue(parsing: Array(ReportText.of(.json, Fixture.allEvents).utf8))
    for name in ["seconds", "startedAt"] {
      for number in ["-1", "1e300"] {
        var reader = OutcomeReader()
        let value = JSONValue.number(try #require(JSONNumber(number)))
        _ = reader.read(Array(Self.replacing(["results", "1", name], in: report, with: value).jsonText().utf8))
        #expect(reader.isInvalid, "\(name): \(number)")
      }
    }
  }

  @Test func `a JSON report whose numbers are all as large as permitted can be rendered in every format`() throws {
    for report in try Self.reports() {
      // A line number is not added to anything, and needs as many blank lines in place of a missing document.
      let largest = try Self.maximal(report) { $0.last == "line" }
      let recording = try Self.recording(largest)
      try Self.render(recording)
    }
  }

  @Test func `a JSON report of a load test with the largest counts and a duration of one microsecond can be rendered in every format`()
    throws
  {
    let report = try JSONValue(parsing: Array(ReportText.of(.json, LoadReportTests.events(LoadReportTests.load())).utf8))
    let largest = try Self.maximal(report) { $0.last == "line" || $0 == ["run", "load", "seconds"] }
    let microsecond = JSONValue.number(try #require(JSONNumber("0.000001")))
    try Self.render(Self.recording(Self.replacing(["run", "load", "seconds"], in: largest, with: microsecond)))
  }

  @Test func `the shard reports of a load test can be merged if all their numbers are as large as permitted`() throws {
    let reports = try (1...2).map { number in
      var load = try LoadReportTests.load()
      load.settings.repetitions = 23_000
      let events = LoadReportTests.events(load, shard: number)
      let report = try JSONValue(parsing: Array(ReportText.of(.json, events).utf8))
      // These numbers say which results a report must have.
      let kept: Set = ["shard", "counts", "allowedFailures"]
      let largest = try Self.maximal(report) { $0.last == "line" || ($0[0] == "run" && kept.contains($0[1])) }
      return (name: "s\(number).json", recording: try Self.recording(largest))
    }
    let merged = try ShardMerge(reports, allowsMissing: false).recording
    #expect(merged.start.concurrency == .max && merged.summary.load?.begun == 1 << 41)
    #expect(merged.summary.load?.settings.repetitions == .max)
    try Self.render(merged)
  }

  @Test func `a run with a start in the year 9999 can be rendered as an OTLP trace`() throws {
    var start = Fixture.start
    start.startedAt = 253_402_300_799
    let text = try ReportText.of(.otlp, [.runStarted(start), .runEnded(Fixture.summary)])
    #expect(text.contains("\(Int.max)"), "\(text)")
  }
}

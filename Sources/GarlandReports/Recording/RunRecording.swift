import GarlandDiagnostics
import GarlandJSON
import GarlandResults

/// A run that was recorded in a JSON report, from which other reports can be created.
///
/// ```swift
/// let recording = try RunRecording(file)
/// let pipeline = ReportPipeline([junit])
/// recording.replay(to: pipeline)
/// let problems = await pipeline.finish()
/// ```
package struct RunRecording: Sendable {
  /// The data about the run that were known at its start, such as the plan.
  package let start: RunStart
  /// The results of the steps, in plan order.
  package let results: [StepResult]
  /// The notices of the run that are not about a single step.
  package let notices: [Diagnostic]
  /// The numbers of steps by outcome, and the other totals of the run.
  package let summary: RunSummary
  /// The name of the machine on which the run took place; nil if it is unknown.
  package let hostname: String?
  /// The program that wrote the report, with its version.
  package let generator: String
  /// The number of results that the report should contain, according to its counts; nil for a report without counts. If ``results`` has
  /// another number of elements, the report is incomplete.
  let recordedCount: Int?

  /// Reads a report.
  ///
  /// - Parameters:
  ///   - file: a report that was written by `--report json=FILE`.
  ///   - source: returns a document of the run by its name, for quoting its lines; nil if the document no longer exists.
  /// - Throws: an error if `file` is not such a report. The error shows the first invalid member.
  package init(_ file: SourceFile, source: @escaping (String) -> SourceFile? = { _ in nil }) throws(RecordingError) {
    let root: JSONValue
    do throws(JSONParsingError) {
      root = try JSONValue(parsing: file.bytes)
    } catch {
      let offset = min(error.offset, file.bytes.count)
      // The end may be missing in the middle of a character.
      let isCut = error.reason == .unexpectedEnd || (error.reason == .invalidUTF8 && offset + 4 > file.bytes.count)
      let isTorn = isCut && file.bytes.first == UInt8(ascii: "{")
      var failure = RecordingError(
        "the report is \(isTorn ? "torn" : "not JSON"): \(error.message)",
        at: SourceRange(file, offset..<min(offset + 1, file.bytes.count)),
        help: isTorn ? "the file is only the beginning of a report: run again, or copy the whole file" : nil)
      failure.isTorn = isTorn
      failure.isForeign = !isTorn
      throw failure
    }
    let start = SourceRange(file, 0..<min(1, file.bytes.count))
    guard root["format"]?.stringValue == "garland-report/1" else {
      var failure = RecordingError(
        "the file is not a report of a run: `format` is \(root["format"]?.stringValue.map { "`\($0)`" } ?? "missing")", at: start,
        help: "to make a report, run `garland run … --report json=FILE`")
      failure.isForeign = true
      throw failure
    }
    if let mistake = ReportNumbers.document.mistake(in: root) {
      throw RecordingReader.refusal(mistake.place, mistake.message, in: file)
    }
    var reader = RecordingReader(file: file, documents: SourceDocuments(source, quotedIn: root))
    self.start = try reader.start(root)
    let results = try reader.list(root, "results").enumerated().map { index, value throws(RecordingError) in
      try reader.result(value, "/results/\(index)")
    }
    notices = try reader.list(root, "notices").map { value throws(RecordingError) in reader.notice(value) }
    summary = try reader.summary(root, results, notices)
    // In reports of earlier versions, the result of a load test's step has the duration of the whole load.
    self.results = summary.load.map { results.map($0.withMedianDuration) } ?? results
    hostname = root["run"]?["hostname"]?.stringValue
    generator = root["generator"]?.stringValue ?? ""
    recordedCount = root["run"]?["counts"]?.objectValue.map { counts in
      // Allowed failures and failures of quarantined steps also have results, but are counted separately from the outcomes.
      let apart = ["allowedFailures", "quarantined"].compactMap { root["run"]?[$0]?.intValue }
      return (Outcome.allCases.compactMap { counts[$0.rawValue]?.intValue } + apart).reduce(0, +)
    }
  }

  init(_ start: RunStart, _ results: [StepResult], _ notices: [Diagnostic], _ summary: RunSummary, hostname: String?, generator: String) {
    self.start = start
    self.results = results
    self.notices = notices
    self.summary = summary
    self.hostname = hostname
    self.generator = generator
    recordedCount = results.count
  }

  /// Sends the events of the run to an observer, in order.
  package func replay(to observer: some RunObserver) {
    observer.receive(.runStarted(start))
    for notice in notices { observer.receive(.notice(notice)) }
    for result in results { observer.receive(.stepEnded(result)) }
    observer.receive(.runEnded(summary))
  }
}

/// The reason why a file is not a report of a run.
package struct RecordingError: Error, Sendable {
  /// The mistake, with its position in the file if the position is known.
  package let diagnostic: Diagnostic
  /// Whether the file is the beginning of a JSON text whose end is missing.
  package var isTorn = false
  /// Whether the file is neither a report nor a part of one.
  package var isForeign = false

  init(_ message: String, at range: SourceRange?, help: String? = nil) {
    let diagnostic = Diagnostic("bad-report", message, at: range)
    self.diagnostic = help.map { diagnostic.help($0) } ?? diagnostic
  }
}

import GarlandDiagnostics
import GarlandJSON
import GarlandResults

/// Writes a run as one JSON document with the structure of `schemas/report.schema.json`.
///
/// Results stream to the disk as they arrive. At the end they are put into plan order, so that the reports of two runs of the same plan
/// differ only where the runs differ. A report has one line for each step and each result. The file appears at its path when the report is
/// complete, also after an interrupt.
package final class JSONReporter: Reporter {
  private let generator: String
  private let hostname: String?
  private let includesAllBodies: Bool
  private let mask: Mask
  private let format: ResultJSON
  private let file: ReportFile
  private let results: Spool
  private let path: String
  private var start: RunStart?
  private var notices: [[UInt8]] = []
  private var omittedNotices = 0
  private var tally = RunTally()

  /// The maximum number of notices (messages that are not about one step) to keep in memory.
  private static let noticeLimit = 1_000

  /// Creates a reporter that writes to a file.
  ///
  /// - Parameters:
  ///   - path: the path of the report; `-` is standard output.
  ///   - redactor: masks the secrets.
  ///   - generator: the program that creates the report, such as `garland 1.0`.
  ///   - hostname: the name of the machine. If nil, the report contains no machine name.
  ///   - includesAllBodies: whether the report also contains the bodies of steps that passed.
  /// - Throws: an error if the file can't be written. The caller receives this error before the run sends anything.
  package init(path: String, redactor: Redactor, generator: String, hostname: String?, includesAllBodies: Bool) throws(ReportError) {
    self.path = path
    self.generator = generator
    self.hostname = hostname
    self.includesAllBodies = includesAllBodies
    mask = Mask(redactor)
    format = ResultJSON(mask: mask, includesAllBodies: includesAllBodies)
    file = try ReportFile(path: path)
    results = try Spool(forReportAt: path)
  }

  /// The parts of the events that the reporter reads: header fields, extracted values and the definitions of steps. If
  /// `includesAllBodies` is true, also the bodies of passed steps.
  package var detail: RunDetail {
    includesAllBodies ? [.fields, .extracts, .sources, .bodies] : [.fields, .extracts, .sources]
  }

  /// Receives the next event of the run.
  package func receive(_ event: RunEvent) {
    tally.receive(event)
    switch event {
    case .runStarted(let start): self.start = start
    case .stepEnded(let result): append(result)
    case .notice(let diagnostic):
      if notices.count < JSONReporter.noticeLimit { notices.append(format.notice(diagnostic)) } else { omittedNotices += 1 }
    case .stepReady, .stepStarted, .stepProgressed, .stepWaits, .loadProgressed, .interrupted, .runEnded: break
    }
  }

  /// Writes the results in plan order, and moves the complete file to its path.
  package func finish() throws(ReportError) {
    for result in tally.unreportedResults() { append(result) }
    writeDocument()
    if let failure = results.failure { throw .cannotWrite(path: path, reason: failure) }
    try file.commit()
  }

  private func append(_ result: StepResult) {
    results.append(format.result(result), at: Spool.Key(step: result.step.index, iteration: result.iterationIndex ?? 0))
  }

  private func writeDocument() {
    let writer = file.writer
    writer.write("{\n")
    writer.write("  \"format\": \"garland-report/1\",\n")
    writer.write("  \"generator\": \(JSONValue.string(generator)),\n")
    writer.write("  \"run\": \(String(decoding: run(), as: UTF8.self)),\n")
    writer.write("  \"notices\": [")
    list(notices, in: writer)
    writer.write("],\n  \"steps\": [")
    if let start {
      var isFirst = true
      for (index, (step, dependencies)) in zip(start.steps, start.dependencies).enumerated() {
        writer.write(isFirst ? "\n    " : ",\n    ")
        let source = index < start.sources.count ? start.sources[index] : nil
        writer.write(format.step(step, dependencies: dependencies, source: source))
        isFirst = false
      }
      if !isFirst { writer.write("\n  ") }
    }
    writer.write("],\n  \"results\": [")
    var isFirst = true
    results.forEach(stepsIn: 0..<Int(UInt32.max)) { bytes in
      writer.write(isFirst ? "\n    " : ",\n    ")
      writer.write(bytes)
      isFirst = false
    }
    if !isFirst { writer.write("\n  ") }
    writer.write("]\n}\n")
  }

  private func list(_ lines: [[UInt8]], in writer: FileDescriptorWriter) {
    for (index, line) in lines.enumerated() {
      writer.write(index == 0 ? "\n    " : ",\n    ")
      writer.write(line)
    }
    if !lines.isEmpty { writer.write("\n  ") }
  }

  private func run() -> [UInt8] {
    let summary = tally.summary
    var writer = JSONWriter(mask: mask)
    writer.object { json in
      json.member("id", start?.runID ?? "")
      json.member("startedAt", TimeText.rfc3339(start?.startedAt ?? 0))
      json.member("hostname", hostname)
      json.member("concurrency", start?.concurrency ?? 0)
      if let start, start.perOrigin > 0 { json.member("perOrigin", start.perOrigin) }
      if start?.isSerial == true { json.member("serial", true) }
      if start?.isRepeated == true { json.member("repeated", true) }
      if let seed = start?.seed { json.member("seed", Int(truncatingIfNeeded: seed)) }
      if let seed = start?.shuffleSeed { json.member("shuffle", Int(truncatingIfNeeded: seed)) }
      if let options = start?.rerunOptions, !options.isEmpty { json.array("rerunOptions", options) { $0.string($1) } }
      json.member("seconds", summary.wallTime)
      json.member("sumOfStepSeconds", summary.sumOfStepTimes)
      json.member("requests", summary.requestCount)
      json.object("counts") { json in
        for outcome in Outcome.allCases { json.member(named: outcome.rawValue, .init(summary.counts[outcome, default: 0])) }
      }
      json.member("allowedFailures", summary.allowedFailures)
      if summary.quarantined > 0 { json.member("quarantined", summary.quarantined) }
      if summary.flaky > 0 { json.member("flaky", summary.flaky) }
      json.member("exitStatus", Int(summary.exitStatus))
      if let end = summary.earlyEnd {
        json.word("endedBy", end.cause.rawValue)
        if end.cause == .interrupt { json.member("interruptedBy", end.reason) } else { json.member("stoppedEarly", end.words) }
      }
      if summary.refusal != nil { json.member("refused", true) }
      if !summary.runErrors.isEmpty, summary.runErrorOutcome != .error { json.word("errorOutcome", summary.runErrorOutcome.rawValue) }
      json.member("omittedNotices", omittedNotices > 0 ? omittedNotices : nil)
      if let load = summary.load {
        json.object("load") { load.write(in: &$0, steps: start?.steps ?? []) { format.write(&$0, $1) } }
      }
      if let shard = start?.shard { json.object("shard") { shard.write(in: &$0) } }
      if let merge = start?.merge { json.object("shards") { merge.write(in: &$0) } }
    }
    return writer.bytes
  }
}

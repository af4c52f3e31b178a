import GarlandDiagnostics
import GarlandResults

/// Writes every request of a run as an [HTTP Archive 1.2](http://www.softwareishard.com/blog/har-12-spec/), which browsers and proxies can
/// read.
///
/// The archive has an entry for each attempt, each poll, each page of a pagination and each hop of a redirect, in the order of sending. The
/// archive's `pages` contain one page for each document. Entries stream to the disk. Requests that a listening step received are omitted,
/// because the run did not send them.
package final class HARReporter: Reporter {
  private let path: String
  private let program: String
  private let version: String
  private let includesAllBodies: Bool
  private let mask: Mask
  private let file: ReportFile
  private let entries: Spool
  private var start: RunStart?
  /// The position of each workflow file's page in the archive, by the name of the file.
  private var pages: [String: Int] = [:]
  private var omittedRequests = 0
  private var tally = RunTally()

  /// Creates a reporter that writes to a file.
  ///
  /// - Parameters:
  ///   - path: the path of the report; `-` is standard output.
  ///   - redactor: masks the secrets.
  ///   - program: the name of the program that creates the archive.
  ///   - version: the version of the program.
  ///   - includesAllBodies: whether the archive also contains the bodies of steps that passed.
  /// - Throws: an error if the file can't be written. The caller gets this error before the run sends anything.
  package init(path: String, redactor: Redactor, program: String, version: String, includesAllBodies: Bool) throws(ReportError) {
    self.path = path
    self.program = program
    self.version = version
    self.includesAllBodies = includesAllBodies
    mask = Mask(redactor)
    file = try ReportFile(path: path)
    entries = try Spool(forReportAt: path)
  }

  /// The parts of the events that the reporter reads: the header fields and the timing phases. If `includesAllBodies` is true,
  /// also the bodies of passed steps.
  package var detail: RunDetail { includesAllBodies ? [.fields, .bodies] : [.fields] }

  /// Receives the next event of the run.
  package func receive(_ event: RunEvent) {
    tally.receive(event)
    switch event {
    case .runStarted(let start):
      self.start = start
      for step in start.steps where pages[step.file] == nil { pages[step.file] = pages.count }
    case .stepEnded(let result): append(result)
    case .stepReady, .stepStarted, .stepProgressed, .stepWaits, .loadProgressed, .notice, .interrupted, .runEnded: break
    }
  }

  /// Writes the entries in the order in which their requests started. Makes the file appear at its path only after all entries are written.
  package func finish() throws(ReportError) {
    writeDocument()
    if let failure = entries.failure { throw .cannotWrite(path: path, reason: failure) }
    try file.commit()
  }

  private func append(_ result: StepResult) {
    for earlier in result.earlier { append(earlier) }
    omittedRequests += result.omittedRequests
    let includesBodies = includesAllBodies || result.outcome.isProblem
    let format = HAREntry(
      mask: mask, runStartedAt: start?.recordedMilliseconds ?? 0, page: pages[result.step.file].map { "page_\($0 + 1)" },
      includesBodies: includesBodies)
    for exchange in result.exchanges where !exchange.isIncoming {
      for (index, hop) in exchange.hops.enumerated() {
        let startedAt = hop.timing.recorded.startedAt ?? result.startedAt
        let microseconds = Readable.microseconds(startedAt)
        // The key is split into milliseconds and the remaining microseconds, because each part has 32 bits, and a run may last for weeks.
        let key = Spool.Key(step: microseconds / 1_000, iteration: microseconds % 1_000)
        entries.append(format.bytes(of: hop, index, in: exchange, of: result, startedAt: startedAt), at: key)
      }
    }
  }

  private func writeDocument() {
    let writer = file.writer
    writer.write("{\"log\":{\"version\":\"1.2\",\n")
    writer.write("\"creator\":")
    var creator = JSONWriter(mask: mask)
    creator.object { json in
      json.member("name", program)
      json.member("version", version)
    }
    writer.write(creator.bytes)
    writer.write(",\n\"pages\":[")
    list(pageLines, in: writer)
    writer.write("],\n\"entries\":[")
    var isFirst = true
    entries.forEach(stepsIn: 0..<Int(UInt32.max)) { entry in
      writer.write(isFirst ? "\n" : ",\n")
      writer.write(entry)
      isFirst = false
    }
    writer.write("\n],\n\"comment\":")
    var comment = JSONWriter(mask: mask)
    comment.string(words)
    writer.write(comment.bytes)
    writer.write("}}\n")
  }

  private var pageLines: [[UInt8]] {
    var lines: [[UInt8]] = []
    for step in start?.steps ?? [] where pages[step.file] == lines.count {
      var writer = JSONWriter(mask: mask)
      writer.object { json in
        json.member("startedDateTime", TimeText.rfc3339(start?.startedAt ?? 0))
        json.member("id", "page_\(lines.count + 1)")
        json.member("title", step.workflow)
        json.object("pageTimings") { _ in }
        json.member("comment", step.file)
      }
      lines.append(writer.bytes)
    }
    return lines
  }

  private func list(_ lines: [[UInt8]], in writer: FileDescriptorWriter) {
    for (index, line) in lines.enumerated() {
      writer.write(index == 0 ? "\n" : ",\n")
      writer.write(line)
    }
  }

  private var words: String {
    let id = start?.runID ?? ""
    var words = id.isEmpty ? "a run of \(program)" : "run \(id)"
    words += ", exit status \(tally.summary.exitStatus)"
    if let refusal = tally.summary.refusal?.diagnostics.first {
      words += ": the run did not begin: \(refusal.message)"
    } else if let end = tally.summary.earlyEnd {
      words += "; ended early: \(end.words)"
    }
    for error in tally.summary.runErrors { words += "; error: \(error.message)" }
    if tally.summary.load != nil { words += "; a load: only the most frequent failure of each step is recorded" }
    if omittedRequests > 0 {
      words +=
        "; \(Readable.count(omittedRequests, "request")) of steps that send very many \(omittedRequests == 1 ? "is" : "are") left out"
    }
    return words
  }
}

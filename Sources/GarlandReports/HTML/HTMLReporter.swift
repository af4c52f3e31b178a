import GarlandDiagnostics
import GarlandResults
import Glibc

/// Writes a run as one page for a browser, with steps, timeline and graph.
///
/// Results are written to the disk as they arrive, with the structure of `schemas/report.schema.json`. At the end, the results are put into
/// plan order. Memory therefore contains only 48 bytes for each result. The page loads no external resources. The file of the page appears
/// only when the page is complete. An interrupted run also gets a complete page.
package final class HTMLReporter: Reporter {
  private let generator: String
  private let hostname: String?
  private let includesAllBodies: Bool
  private let path: String
  private let mask: Mask
  private let format: ResultJSON
  private let pageIndex: PageIndex
  private let file: ReportFile
  private let results: Spool
  private let lines: Spool
  private var start: RunStart?
  private var notices: [[UInt8]] = []
  private var omittedNotices = 0
  private var budget = BodyBudget()
  private var origins = PageOrigins()
  private var resultBytes = 0
  private var tally = RunTally()

  private static let noticeLimit = 1_000
  /// The size of all results, in bytes, above which the page is compressed with a fast level of zlib instead of the default level.
  private static let largeRun = 48 << 20

  /// Creates a reporter that writes to a file.
  ///
  /// - Parameters:
  ///   - path: the path of the page; `-` is standard output.
  ///   - redactor: masks the secrets.
  ///   - generator: the program that creates the page, such as `garland 1.0`.
  ///   - hostname: the name of the machine. If nil, the page contains no machine name.
  ///   - includesAllBodies: whether the page also contains the bodies of steps that passed.
  /// - Throws: an error if the file can't be written, before the run sends anything.
  package init(path: String, redactor: Redactor, generator: String, hostname: String?, includesAllBodies: Bool) throws(ReportError) {
    self.path = path
    self.generator = generator
    self.hostname = hostname
    self.includesAllBodies = includesAllBodies
    mask = Mask(redactor)
    format = ResultJSON(mask: mask, includesAllBodies: includesAllBodies)
    pageIndex = PageIndex(mask: mask)
    file = try ReportFile(path: path)
    results = try Spool(forReportAt: path)
    lines = try Spool(forReportAt: path)
  }

  /// The details that the reporter needs. It does not need the events that occur while a step runs. It needs the bodies of passed steps
  /// only if the page contains these bodies.
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
      if notices.count < Self.noticeLimit { notices.append(format.notice(diagnostic)) } else { omittedNotices += 1 }
    case .stepReady, .stepStarted, .stepProgressed, .stepWaits, .loadProgressed, .interrupted, .runEnded: break
    }
  }

  /// Writes the page, and puts the complete file at its path.
  package func finish() throws(ReportError) {
    for result in tally.unreportedResults() { append(result) }
    let writer = file.writer
    let page = PageWriter(level: resultBytes > Self.largeRun ? 1 : 6) { writer.write($0) }
    write(page)
    if let failure = results.failure ?? lines.failure { throw .cannotWrite(path: path, reason: failure) }
    if page.isFailed { throw .cannotWrite(path: path, reason: ENOMEM) }
    try file.commit()
  }

  private func append(_ result: StepResult) {
    let key = Spool.Key(step: result.step.index, iteration: result.iterationIndex ?? 0)
    // The first byte determines the limit to which the bodies of the result are cut.
    let bytes = [result.outcome.isProblem ? Self.problem : Self.other] + format.result(result)
    resultBytes += bytes.count
    results.append(bytes, at: key)
    lines.append(pageIndex.result(result, origin: origins.number(of: result)), at: key)
    if includesAllBodies || result.outcome.isProblem { budget.count(result) }
  }

  private static let problem = UInt8(ascii: "!")
  private static let other = UInt8(ascii: ".")

  private func write(_ page: PageWriter) {
    let head = PageHead(
      start: start, summary: tally.summary, hostname: hostname, generator: generator, mask: mask, origins: origins.names)
    page.begin(head.head)
    let plan = PagePlan(start, format: format, index: pageIndex)
    plan.writeDefinitions(to: page)
    let limits = budget.limits
    results.forEach(stepsIn: 0..<Int(UInt32.max)) { bytes in
      let limit = bytes.first == Self.problem ? limits.problems : limits.others
      page.add(BodyBudget.cut(bytes.dropFirst(), to: limit), to: "r")
    }
    page.beginIndex(head.members(omittedNotices: omittedNotices))
    plan.writeSteps(to: page)
    page.beginList("results")
    lines.forEach(stepsIn: 0..<Int(UInt32.max)) { page.line($0) }
    page.endList()
    page.beginList("notices")
    for notice in notices { page.line(notice) }
    page.endList()
    page.end()
  }
}

import GarlandDiagnostics
import GarlandResults

/// Writes a run as Markdown for GitHub and GitLab: a table of outcomes, the failures, and the slowest steps.
///
/// The failures are written to the disk as they arrive, and are put into plan order at the end. The report has at most 1 MiB, which is
/// GitHub's limit. Failures that don't fit into the report are only counted.
package final class MarkdownReporter: ResultReporter {
  /// The file to which the Markdown report is written.
  private enum Destination {
    case file(ReportFile)
    /// The file in which GitHub collects the summaries of a CI job (`GITHUB_STEP_SUMMARY`). The report is appended to the file.
    case summary(path: String)
  }

  /// The maximum size of the report, which is [GitHub's
  /// limit](https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#adding-a-job-summary) for the summary of
  /// one step of a job.
  static let largest = 1 << 20

  private let path: String
  private let hostname: String?
  private let mask: Mask
  private let destination: Destination
  /// The temporary file (spool) that collects the failures. It is created at the first failure, because a run that passes does not need it.
  private var failures: Spool?
  private var failure: ReportError?
  private var start: RunStart?
  private var label: StepLabel
  private var documents = DocumentCounts()
  private var slowest = SlowestSteps(limit: 10)
  private var flaky: [String] = []
  private var flakyCount = 0
  private var tally = RunTally()

  /// Creates a reporter that writes to a file.
  ///
  /// - Parameters:
  ///   - path: the path of the report; `-` is standard output.
  ///   - redactor: masks the secrets.
  ///   - hostname: the name of the machine; if nil, the report contains no machine name.
  /// - Throws: an error if the file can't be written. The caller gets this error before the run sends anything.
  package init(path: String, redactor: Redactor, hostname: String?) throws(ReportError) {
    self.path = path
    self.hostname = hostname
    mask = Mask(redactor)
    label = StepLabel(mask: mask, namesFile: false)
    destination = .file(try ReportFile(path: path))
  }

  /// Creates a reporter that appends to a file, such as the one whose path GitHub passes in `GITHUB_STEP_SUMMARY`.
  ///
  /// - Parameters:
  ///   - path: the path of the file. The report is shortened so that the file, including its existing content, has at most 1 MiB.
  ///   - redactor: masks the secrets.
  ///   - hostname: the name of the machine; if nil, the report contains no machine name.
  package init(appendingTo path: String, redactor: Redactor, hostname: String?) {
    self.path = path
    self.hostname = hostname
    mask = Mask(redactor)
    label = StepLabel(mask: mask, namesFile: false)
    destination = .summary(path: path)
  }

  /// Receives the next event of the run.
  package func receive(_ event: RunEvent) {
    tally.receive(event)
    switch event {
    case .runStarted(let start):
      self.start = start
      label = StepLabel(mask: mask, namesFile: start.steps.contains { $0.file != start.steps.first?.file })
      documents = DocumentCounts(start.steps)
    case .stepEnded(let result): append(result)
    case .stepReady, .stepStarted, .stepProgressed, .stepWaits, .loadProgressed, .notice, .interrupted, .runEnded: break
    }
  }

  /// Writes the report and makes it visible at its path.
  package func finish() throws(ReportError) {
    for result in tally.unreportedResults() { append(result) }
    if let failure { throw failure }
    switch destination {
    case .file(let file):
      file.writer.write(document(atMost: Self.largest))
      if let failure = failures?.failure { throw .cannotWrite(path: path, reason: failure) }
      try file.commit()
    case .summary(let path):
      let file = try SummaryFile(path: path)
      let text = document(atMost: Self.largest - file.size)
      if let failure = failures?.failure { throw .noSummary(path: path, reason: failure) }
      try file.append(text)
    }
  }

  private func append(_ result: StepResult) {
    documents.count(result)
    slowest.count(result, label)
    if result.isFlaky {
      flakyCount += 1
      let name = MarkdownText.words(label.name(result.step, iteration: result.iteration))
      if flaky.count < Self.mostFlaky {
        flaky.append("- \(name): \(MarkdownText.words(result.earlier.first.flatMap(label.explanation) ?? ""))\n")
      }
    }
    guard result.outcome.isProblem, failure == nil else { return }
    let entry = MarkdownFailure(mask: mask, label: label).text(result)
    do throws(ReportError) {
      if failures == nil { failures = try Spool(forReportAt: spoolPath) }
      failures?.append(Array(entry.utf8), at: Spool.Key(step: result.step.index, iteration: result.iterationIndex ?? 0))
    } catch {
      failure = failure ?? error
    }
  }

  /// The path that determines the folder of the spool, a temporary file for the failures. If the report has its own file, the path is that
  /// of the report. If the summary is appended to a file of the CI system, the path is `-`, which selects the folder `/tmp`.
  private var spoolPath: String { if case .file = destination { path } else { "-" } }

  // MARK: The document

  private func document(atMost limit: Int) -> [UInt8] {
    let headline = RunHeadline(start: start, summary: tally.summary, hostname: hostname, mask: mask)
    // A run can be incomplete with the exit status 0, such as a merged run without the report of a shard.
    let mark = !headline.isGood ? "❌" : headline.summary.earlyEnd == nil ? "✅" : "⚠️"
    var head = "## \(mark) \(MarkdownText.words(headline.heading))\n\n"
    head += headline.facts.map(MarkdownText.words).joined(separator: " · ") + "\n\n"
    head += documents.table(mask) + loadSection
    let diagnostics = (tally.summary.refusal?.diagnostics ?? []) + tally.summary.runErrors
    let problems = diagnostics.prefix(Self.mostDiagnostics).map {
      MarkdownText.block(mask.lines(mask.renderer().render($0).plain).map { String($0.prefix(Self.longestLine)) })
    }.joined(separator: "\n")
    let tail = flakySection + (tally.summary.load == nil ? slowestSection : "")
    // If not even the beginning fits, the report is empty.
    var bytes = Array((head + problems + (problems.isEmpty ? "" : "\n")).utf8)
    guard bytes.count + tail.utf8.count + Self.noteSize <= limit else { return head.utf8.count <= limit ? Array(head.utf8) : [] }
    addFailures(to: &bytes, atMost: limit - tail.utf8.count - Self.noteSize)
    bytes += Array(tail.utf8)
    return bytes
  }

  /// The section with the measurements of a load test.
  private var loadSection: String {
    guard let load = tally.summary.load, let start else { return "" }
    let figures = LoadFigures(load: load, steps: start.steps, label: label)
    var text = "### Load\n\n\(MarkdownText.words(LoadFigures.summary(of: load)))\n\n"
    text += "| \(LoadFigures.columns.joined(separator: " | ")) |\n"
    text += "| ---\(String(repeating: " | ---:", count: LoadFigures.columns.count - 1)) |\n"
    for row in figures.rows.map(\.cells) {
      text += "| \(([MarkdownText.code(row[0])] + row.dropFirst().map(MarkdownText.words)).joined(separator: " | ")) |\n"
    }
    text += "\n\(figures.explanation)\n\n"
    let errors = figures.errors.map { "- \(MarkdownText.words($0))\n" }.joined()
    let expected = figures.expectations.map { "- \($0.isMet ? "✅" : "❌") \(MarkdownText.words($0.words))\n" }.joined()
    return text + [errors, expected].filter { !$0.isEmpty }.map { "\($0)\n" }.joined()
  }

  /// The section about steps that passed after they had failed.
  private var flakySection: String {
    guard !flaky.isEmpty else { return "" }
    let more = flakyCount > flaky.count ? "- … and \(Readable.count(flakyCount - flaky.count)) more\n" : ""
    return "### Flaky\n\n\(flaky.joined())\(more)\n"
  }

  /// The section with the slowest steps. It is empty for a run with few results.
  private var slowestSection: String {
    guard slowest.resultCount > 3, !slowest.entries.isEmpty else { return "" }
    let rows = slowest.entries.map { entry in
      let action = String(entry.action.prefix(Self.longestAction))
      return "| \(MarkdownText.code(entry.name)) | \(MarkdownText.code(action)) | \(Readable.duration(entry.duration)) |\n"
    }
    return "### Slowest\n\n| step | request | time |\n| --- | --- | ---: |\n\(rows.joined())\n"
  }

  private static let noteSize = 200
  private static let longestAction = 300
  private static let mostFlaky = 100
  private static let mostDiagnostics = 20
  private static let longestLine = 1_000
  /// The number of failures whose details are initially open, so that a reader sees them without a click.
  private static let openFailures = 5

  private func addFailures(to bytes: inout [UInt8], atMost limit: Int) {
    var count = 0
    var left = 0
    failures?.forEach(stepsIn: 0..<Int(UInt32.max)) { entry in
      if count == 0 { bytes += Array("### What went wrong\n\n".utf8) }
      let opening = Array("<details\(count < Self.openFailures ? " open" : "")>\n".utf8)
      // After one failure was left out, all further failures are left out, so that the report contains the first ones in plan order.
      guard left == 0, bytes.count + opening.count + entry.count <= limit else {
        left += 1
        return
      }
      bytes += opening
      bytes += entry
      count += 1
    }
    if left > 0 { bytes += Array("… and \(Readable.count(left, "more failure")), which would make this summary too long.\n\n".utf8) }
  }
}

/// Formats the result of a step that did not pass. The text is a collapsible element (`<details>`); ``MarkdownReporter`` itself writes the
/// opening tag of the element.
struct MarkdownFailure {
  let mask: Mask
  let label: StepLabel
  private static let mostLines = 200
  /// The maximum number of characters in a line of the failure's description. Without this limit, the command that repeats a request could
  /// be a very long line, since it may contain the whole body of the request.
  private static let longestLine = 2_000

  func text(_ result: StepResult) -> String {
    let block = FailureBlock(mask: mask, glyphs: .unicode, label: label, width: nil)
    let mark = result.isFailureAllowed ? "⚠️" : "❌"
    var summary = "<summary>\(mark) \(MarkdownText.htmlCode(label.name(result.step, iteration: result.iteration)))"
    summary += " \(MarkdownText.words(label.explanation(result) ?? result.outcome.rawValue))"
    if result.isFailureAllowed {
      summary += result.step.quarantine.map { ", \(MarkdownText.words(label.quarantine($0)))" } ?? " (allowed to fail)"
    }
    var lines = block.lines(result, showsExchange: false).map { String($0.plain.prefix(Self.longestLine)) }
    if lines.count > Self.mostLines { lines = lines.prefix(Self.mostLines) + ["…"] }
    return "\(summary)</summary>\n\n\(MarkdownText.block(lines))\n</details>\n\n"
  }
}

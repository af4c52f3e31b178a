import GarlandDiagnostics
import GarlandResults

/// Writes the problems of a run as a Code Quality report, which GitLab shows in merge requests.
///
/// The report has an issue for each failure of a step, for each warning, for each error that prevented the run, and for a run that ended
/// early. Issues stream to the disk and are put into plan order at the end. Only the fingerprint of each issue stays in memory.
package final class CodeQualityReporter: ResultReporter {
  private let path: String
  private let file: ReportFile
  private let failures: Spool
  private var issues: CodeQualityIssues
  private var notices: [[UInt8]] = []
  private var steps = 0

  /// The maximum number of notices (messages that are not about one step) to keep in memory.
  private static let noticeLimit = 1_000

  /// Creates a reporter that writes to a file.
  ///
  /// - Parameters:
  ///   - path: the path of the report; `-` is standard output.
  ///   - redactor: masks the secrets.
  ///   - root: the folder that file names in the report are relative to.
  /// - Throws: an error if the file can't be written, before the run sends anything.
  package init(path: String, redactor: Redactor, root: SourceRoot = SourceRoot()) throws(ReportError) {
    self.path = path
    issues = CodeQualityIssues(mask: Mask(redactor), root: root)
    file = try ReportFile(path: path)
    failures = try Spool(forReportAt: path)
  }

  /// Receives the next event of the run.
  package func receive(_ event: RunEvent) {
    switch event {
    case .runStarted(let start): steps = start.steps.count
    case .stepEnded(let result) where result.outcome.isProblem:
      let bytes = issues.issues(result).joined(separator: CodeQualityIssues.separator)
      failures.append(CodeQualityIssues.separator + bytes, at: Spool.Key(step: result.step.index, iteration: result.iterationIndex ?? 0))
    case .stepEnded(let result) where result.isFlaky:
      guard let earlier = result.earlier.last else { break }
      let bytes = issues.issues(earlier, isFlaky: true).joined(separator: CodeQualityIssues.separator)
      failures.append(CodeQualityIssues.separator + bytes, at: Spool.Key(step: result.step.index, iteration: result.iterationIndex ?? 0))
    case .notice(let diagnostic) where notices.count < Self.noticeLimit: notices.append(issues.issue(diagnostic))
    case .runEnded(let summary) where summary.refusal == nil:
      if let end = summary.earlyEnd { notices.append(issues.issue(endedEarly: end.words)) }
    case .stepEnded, .stepReady, .stepStarted, .stepProgressed, .stepWaits, .loadProgressed, .notice, .interrupted, .runEnded: break
    }
  }

  /// Writes an issue (an entry of the report) for each notice of the run, that is, for each message that is not about one step. Then writes
  /// an issue for each failure, in plan order, and makes the report visible at its path.
  package func finish() throws(ReportError) {
    var isFirst = true
    let writer = file.writer
    writer.write(CodeQualityIssues.opening)
    func write(_ bytes: ArraySlice<UInt8>) {
      writer.write(isFirst ? bytes.dropFirst(CodeQualityIssues.separator.count) : bytes)
      isFirst = false
    }
    for notice in notices { write((CodeQualityIssues.separator + notice)[...]) }
    failures.forEach(stepsIn: 0..<steps) { write($0) }
    writer.write(CodeQualityIssues.closing)
    if let failure = failures.failure { throw .cannotWrite(path: path, reason: failure) }
    try file.commit()
  }
}

import GarlandDiagnostics
import GarlandResults

/// Formats the last lines of a console: the counts, the slowest steps, and the commands that run
/// failed steps again.
struct SummaryText {
  /// The failed steps of a file, for the hint that shows how to run them again.
  struct Rerun {
    var file: String
    var ids: [String]
  }

  let glyphs: Glyphs
  let width: Int?
  private static let slowestLimit = 5
  private static let rerunLimit = 20

  /// Returns the lines of the summary.
  ///
  /// - Parameters:
  ///   - summary: the totals of the run.
  ///   - slowest: the slowest steps, slowest first. They are shown only if the run has more than five results and is not a load test.
  ///   - reruns: the failed steps, by file. A hint contains the command that runs them again.
  ///   - command: the program's name in these hints.
  ///   - options: the command-line options in these hints, after the names of the steps.
  func lines(
    _ summary: RunSummary, slowest: [SlowestSteps.Entry], reruns: [Rerun], command: String, options: [String] = []
  ) -> [StyledText] {
    var lines: [StyledText] = []
    let results = summary.counts.values.reduce(0, +) + summary.allowedFailures + summary.quarantined
    if results > SummaryText.slowestLimit, !slowest.isEmpty, summary.load == nil {
      lines.append("\("Slowest", .key)")
      let nameWidth = slowest.map { DisplayWidth.of($0.name) }.max() ?? 0
      for step in slowest {
        let duration = StyledText(Readable.duration(step.duration)).padded(to: 10, .trailing)
        lines.append(cut(duration + "  " + StyledText(step.name).padded(to: nameWidth) + "  " + StyledText(step.action, .dim)))
      }
    }
    lines += wrapped(counts(summary, results: results))
    lines += wrapped(times(summary))
    if let end = summary.earlyEnd {
      let words = end.cause == .interrupt ? end.words.prefix(1).uppercased() + end.words.dropFirst() : "Ended early: \(end.words)"
      lines.append(StyledText("\(words).", .warning))
    }
    lines += hints(reruns, command: command, options: options)
    return lines
  }

  private func counts(_ summary: RunSummary, results: Int) -> StyledText {
    guard results > 0 else { return StyledText("No step ran.", .warning) }
    var parts: [StyledText] = []
    func part(_ outcome: Outcome, _ style: StyledText.Style) {
      let count = summary.counts[outcome, default: 0]
      guard count > 0 else { return }
      parts.append(StyledText("\(Readable.count(count)) \(SummaryText.word(outcome, count))", style))
    }
    let unmet = summary.load.map { load in load.expectations.count { !$0.isMet(by: load) } } ?? 0
    if unmet > 0 { parts.append(StyledText("\(Readable.count(unmet, "expectation")) not met", .error)) }
    part(.failed, .error)
    part(.error, .error)
    part(.unreachable, .error)
    part(.blocked, .warning)
    if summary.allowedFailures > 0 {
      parts.append(StyledText("\(Readable.count(summary.allowedFailures)) failed as allowed", .warning))
    }
    if summary.quarantined > 0 { parts.append(StyledText("\(Readable.count(summary.quarantined)) quarantined", .warning)) }
    if summary.flaky > 0 { parts.append(StyledText("\(Readable.count(summary.flaky)) flaky", .warning)) }
    part(.notRun, .warning)
    part(.skipped, .dim)
    let passed = summary.counts[.passed, default: 0] - summary.flaky
    if passed > 0 { parts.append(StyledText("\(Readable.count(passed)) passed", .success)) }
    var line = StyledText()
    for (index, part) in parts.enumerated() { line += index == 0 ? part : ", " + part }
    return line
  }

  private static func word(_ outcome: Outcome, _ count: Int) -> String {
    outcome == .error ? (count == 1 ? "error" : "errors") : outcome.rawValue
  }

  private func times(_ summary: RunSummary) -> StyledText {
    if let load = summary.load { return StyledText(LoadFigures.summary(of: load), .emphasis) }
    guard summary.requestCount > 0 else { return "\(Readable.duration(summary.wallTime), .emphasis)" }
    var line: StyledText = "\(Readable.count(summary.requestCount, "request")) in \(Readable.duration(summary.wallTime), .emphasis)"
    if let speedup = summary.speedup {
      line += ", \(speedup)\(glyphs.times) faster than one after another (\(Readable.duration(summary.sumOfStepTimes)))"
    }
    return line
  }

  private func hints(_ reruns: [Rerun], command: String, options: [String]) -> [StyledText] {
    // A document from a pipe cannot be read again.
    let reruns = reruns.filter { $0.file != "standard input" }
    guard !reruns.isEmpty, reruns.reduce(0, { $0 + $1.ids.count }) <= SummaryText.rerunLimit else { return [] }
    var lines: [StyledText] = ["\("Run the steps that did not pass:", .help)"]
    for rerun in reruns {
      lines.append(StyledText("  \(command) run \(([rerun.file] + rerun.ids + options).map(ShellWord.quoted).joined(separator: " "))"))
    }
    return lines
  }

  private func wrapped(_ line: StyledText) -> [StyledText] {
    width.map { line.wrapped(to: max(20, $0 - 1), indentation: 2) } ?? [line]
  }

  private func cut(_ line: StyledText) -> StyledText {
    guard let width else { return line.trimmed }
    return line.truncated(to: max(20, width - 1)).trimmed
  }
}

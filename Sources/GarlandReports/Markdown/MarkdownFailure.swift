import GarlandResults

/// Formats a result that did not pass as a collapsible element. The opening tag of the element is not included, since the report writes it.
struct MarkdownFailure {
  let mask: Mask
  let label: StepLabel
  private static let mostLines = 200
  /// The maximum length of a line. A command that repeats a request may contain the whole body of the request.
  private static let longestLine = 2_000

  func text(_ result: StepResult) -> String {
    let table = StepTable(steps: [], label: label, glyphs: .unicode, width: nil)
    let block = FailureBlock(mask: mask, glyphs: .unicode, table: table, width: nil)
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

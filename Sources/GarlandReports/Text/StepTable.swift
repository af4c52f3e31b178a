import GarlandDiagnostics
import GarlandResults

/// One line for each result, in columns that fit the plan and the terminal.
///
/// ```
/// ✓ create     POST /books             201   12 ms
/// ✗ read_back  GET /books/1/cover      404  3.1 ms  status is 404, expected 200
/// ⊘ remove     DELETE /books/${…}                   blocked by read_back
/// ```
struct StepTable {
  let label: StepLabel
  let glyphs: Glyphs
  /// The terminal's width; nil cuts nothing.
  let width: Int?
  private let labelWidth: Int
  private let actionWidth: Int

  /// Characters that a duration takes at most: `59.9 s`, `2 m 03 s`.
  private static let durationWidth = 8
  private static let gap = "  "

  init(steps: [StepIdentity], label: StepLabel, glyphs: Glyphs, width: Int?) {
    self.label = label
    self.glyphs = glyphs
    self.width = width
    var widestLabel = 0
    var widestAction = 0
    for step in steps {
      widestLabel = max(widestLabel, DisplayWidth.of(label.name(step)))
      widestAction = max(widestAction, DisplayWidth.of(step.action))
    }
    guard let width else {
      labelWidth = min(widestLabel, 32)
      actionWidth = min(widestAction, 60)
      return
    }
    labelWidth = min(widestLabel, 32, max(8, width / 3))
    // Mark, status and duration have fixed widths; what is left is the action's, unless that says nothing any more.
    let left = width - 1 - 2 - labelWidth - 2 - 2 - 3 - 2 - StepTable.durationWidth
    actionWidth = left < 12 ? 0 : min(widestAction, 60, left)
  }

  /// A result's line.
  func line(_ result: StepResult) -> StyledText {
    var line = glyphs.mark(of: result.outcome, isFailureAllowed: result.isFailureAllowed) + " "
    let isQuiet = result.outcome == .skipped || result.outcome == .notRun
    let name = label.name(result.step, iteration: result.iteration)
    line += StyledText(name, result.outcome.isProblem ? .emphasis : isQuiet ? .dim : .plain).padded(to: labelWidth)
    if let width, line.width > labelWidth + 2 { line = line.truncated(to: max(labelWidth + 2, width / 2)) }
    if actionWidth > 0 {
      let action = StyledText(label.action(result).plain, .dim)
      line += StyledText(StepTable.gap) + (width == nil ? action : action.truncated(to: actionWidth)).padded(to: actionWidth)
    }
    if !result.exchanges.isEmpty {
      let status = result.exchanges.last?.hops.last?.status
      line += StyledText(StepTable.gap)
      line += (status.map { StyledText("\($0)", ExchangeText.style(ofStatus: $0)) } ?? StyledText("–", .dim)).padded(to: 3, .trailing)
      let duration = StyledText(Readable.duration(result.duration), .dim)
      line += StyledText(StepTable.gap) + duration.padded(to: StepTable.durationWidth, .trailing)
    }
    if let note = note(result) {
      // A word or two, or nothing.
      let room = width.map { $0 - 1 - line.width - StepTable.gap.count } ?? .max
      if room >= 8 { line += StyledText(StepTable.gap) + note.truncated(to: room) }
    }
    guard let width else { return line }
    // One column stays free: a full row would leave some terminals undecided about where the next begins.
    return line.truncated(to: max(1, width - 1))
  }

  private func note(_ result: StepResult) -> StyledText? {
    if let explanation = label.explanation(result) {
      if result.outcome.isProblem {
        return result.isFailureAllowed ? StyledText("allowed to fail: \(explanation)", .warning) : StyledText(explanation, .failure)
      }
      return StyledText(explanation, result.outcome == .blocked ? .skip : .dim)
    }
    return result.exchanges.count > 1 ? StyledText(Readable.count(result.exchanges.count, "request"), .dim) : nil
  }
}

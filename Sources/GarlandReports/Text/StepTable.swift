import GarlandDiagnostics
import GarlandResults

/// Formats each result as a line of a table, whose column widths fit the plan and the terminal.
///
/// ```
/// ✓ create     POST /books             201   12 ms
/// ✗ read_back  GET /books/1/cover      404  3.1 ms  status is 404, expected 200
/// ⊘ remove     DELETE /books/${…}                   blocked by read_back
/// ```
final class StepTable: Sendable {
  let label: StepLabel
  let glyphs: Glyphs
  /// The terminal's width; nil if lines are not cut.
  let width: Int?
  let labelWidth: Int
  let actionWidth: Int

  /// The maximum width of a duration, such as `59.9 s` or `2 m 03 s`.
  static let durationWidth = 8
  static let gap = 2
  /// The width of the column for the explanation of a result, such as `status is 404, expected 200`.
  ///
  /// This width needs a terminal of at least 85 columns. On a terminal of 80 columns, the column is 18 wide. On a terminal of 70 columns or
  /// fewer, the table omits the explanation, since the column for the action (method and URL) would be too narrow.
  private static let explanationWidth = 28
  /// The minimum width of the column that shows a step's method and URL. A narrower column would not be understandable.
  private static let leastAction = 8

  init(steps: [StepIdentity], label: StepLabel, glyphs: Glyphs, width: Int?) {
    self.label = label
    self.glyphs = glyphs
    self.width = width
    var widestLabel = 0
    var widestAction = 0
    for step in steps {
      // The name's width includes a space and brackets.
      let iteration = step.iterationColumns > 0 ? step.iterationColumns + 3 : 0
      widestLabel = max(widestLabel, RowBuilder.width(of: label.name(step)) + iteration)
      widestAction = max(widestAction, RowBuilder.width(of: step.action))
    }
    guard let width else {
      labelWidth = min(widestLabel, 40)
      actionWidth = min(widestAction, 60)
      return
    }
    labelWidth = min(widestLabel, 40, max(8, width / 3))
    // Mark, status and duration have fixed widths; the action and the explanation share the rest, unless that is too narrow.
    let left = width - 1 - 2 - labelWidth - 2 - 2 - 3 - 2 - StepTable.durationWidth
    let explanation = min(max(0, (width - 70) * 2), StepTable.gap + StepTable.explanationWidth)
    actionWidth = left < 12 ? 0 : min(widestAction, 60, max(12, left - explanation))
  }

  /// Writes the line of a result to `row`, in place of the previous row.
  ///
  /// - Parameters:
  ///   - labels: the labels of the loop items that the table has already shown. If the name of an item is too long, the function omits a
  ///     part of the name that does not distinguish this item from the others.
  ///   - colors: whether and how the line has colours.
  func write(_ result: StepResult, _ labels: LoopLabels, _ colors: StyledText.ColorMode, to row: inout RowBuilder) {
    row.begin(colors)
    let mark = glyphs.mark(of: result)
    row.append(mark.text, mark.style, columns: 2, width: 1)
    let isQuiet = result.outcome == .skipped || result.outcome == .notRun
    let nameStyle = result.outcome.isProblem ? StyledText.Style.emphasis : isQuiet ? .dim : .plain
    let name = label.name(result.step, iteration: result.iteration)
    // The name of a long iteration may take half of the row.
    if let longest = width.map({ max(labelWidth, $0 / 2 - 2) }), RowBuilder.width(of: name) > longest {
      let short = labels.shortened(name, label: result.iteration.map(label.mask.line), ofStep: result.step.index, to: longest)
      row.append(short, nameStyle, columns: longest)
    } else {
      row.append(name, nameStyle, columns: labelWidth)
    }
    if actionWidth > 0 {
      row.space(StepTable.gap)
      // A long name shortens the action, so that the statuses stay in one column.
      let room = max(0, actionWidth - max(0, row.width - 2 - labelWidth))
      if width == nil || room >= StepTable.leastAction {
        let action = label.action(result)
        let isCut = width != nil && RowBuilder.width(of: action) > room
        row.append(isCut ? StyledText(action).shortened(to: room).plain : action, .dim, columns: room)
      } else {
        row.space(room)
      }
    }
    if let last = result.lastOwnExchange {
      row.space(StepTable.gap)
      if result.step.isRequest, let status = last.status {
        row.append(String(status), ExchangeText.style(ofStatus: status), columns: 3, .trailing)
      } else {
        row.append(glyphs.none, .dim, columns: 3, .trailing)
      }
      row.space(StepTable.gap)
      row.append(Readable.duration(result.duration), .dim, columns: StepTable.durationWidth, .trailing)
    }
    if let note = note(result) {
      row.space(StepTable.gap)
      // The remaining room for the explanation, which has a few words or is empty.
      let room = width.map { $0 - 1 - row.end } ?? .max
      if room >= 8 { row.append(StyledText(note.text).truncated(to: room).plain, note.style) }
    }
    // One column stays empty, since some terminals place the next row inconsistently after a full row.
    row.finish(limit: width.map { max(1, $0 - 1) })
  }

  private func note(_ result: StepResult) -> (text: String, style: StyledText.Style)? {
    if let explanation = label.explanation(result) {
      if result.outcome.isProblem {
        let isQuarantined = result.step.quarantine != nil
        return result.isFailureAllowed
          ? ("\(isQuarantined ? "quarantined" : "allowed to fail"): \(explanation)", .warning) : (explanation, .failure)
      }
      return (explanation, result.outcome == .blocked ? .skip : result.isFlaky ? .warning : .dim)
    }
    let count = result.requestCount
    return count > 1 ? (Readable.count(count, "request"), .dim) : nil
  }
}

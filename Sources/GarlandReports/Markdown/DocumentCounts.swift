import GarlandResults

/// Counts results by workflow file and outcome, and formats the counts as a Markdown table.
struct DocumentCounts {
  private struct Row {
    let file: String
    /// The index, in the plan, that follows the index of the file's last step.
    var end: Int
    var counts = [Int](repeating: 0, count: Outcome.allCases.count)
    var allowed = 0
    var quarantined = 0
  }

  private var rows: [Row] = []
  private static let mostRows = 100

  init() {}

  /// Creates a row for each workflow file of a plan. The steps of a file must be next to each other in the plan.
  init(_ steps: [StepIdentity]) {
    for step in steps {
      if rows.last?.file != step.file { rows.append(Row(file: step.file, end: step.index + 1)) }
      rows[rows.count - 1].end = step.index + 1
    }
  }

  mutating func count(_ result: StepResult) {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].end <= result.step.index { low = middle + 1 } else { high = middle }
    }
    guard low < rows.count, let place = Outcome.allCases.firstIndex(of: result.outcome) else { return }
    if result.isFailureAllowed, result.outcome.isProblem {
      if result.step.quarantine == nil { rows[low].allowed += 1 } else { rows[low].quarantined += 1 }
    } else {
      rows[low].counts[place] += result.itemCount
    }
  }

  /// Returns the Markdown table. It has a row for each workflow file, and a row of totals if there are several files. Outcomes that never
  /// occurred have no column.
  func table(_ mask: Mask) -> String {
    guard !rows.isEmpty else { return "" }
    var all = Row(file: "", end: 0)
    for row in rows {
      for place in row.counts.indices { all.counts[place] += row.counts[place] }
      all.allowed += row.allowed
      all.quarantined += row.quarantined
    }
    let columns = Outcome.allCases.indices.filter { all.counts[$0] > 0 || Outcome.allCases[$0] == .passed }
    func line(_ name: String, _ row: Row) -> String {
      var cells = [name] + columns.map { Readable.count(row.counts[$0]) }
      if all.allowed > 0 { cells.append(Readable.count(row.allowed)) }
      if all.quarantined > 0 { cells.append(Readable.count(row.quarantined)) }
      return "| \(cells.joined(separator: " | ")) |\n"
    }
    let names =
      ["document"] + columns.map { Outcome.allCases[$0].rawValue } + (all.allowed > 0 ? ["allowed to fail"] : [])
      + (all.quarantined > 0 ? ["quarantined"] : [])
    var text = "| \(names.joined(separator: " | ")) |\n| --- |\(String(repeating: " ---: |", count: names.count - 1))\n"
    for row in rows.prefix(Self.mostRows) { text += line(MarkdownText.code(mask.line(row.file)), row) }
    if rows.count > 1 { text += line("**all \(Readable.count(rows.count))**", all) }
    if rows.count > Self.mostRows { text += "\n… of which the first \(Self.mostRows) are shown.\n" }
    return text + "\n"
  }
}

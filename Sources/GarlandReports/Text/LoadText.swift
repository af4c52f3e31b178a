import GarlandDiagnostics
import GarlandResults

/// Formats the measurements of a load test for a console.
struct LoadText {
  let glyphs: Glyphs

  /// Returns the measurements as a table in columns:
  /// ```
  /// step          count  failed      p50      p90      p95      p99    p99.9      max
  /// login        12,000       0   412 µs  1.23 ms  2.04 ms  4.81 ms  12.1 ms  31.0 ms
  /// ```
  func lines(_ figures: LoadFigures) -> [StyledText] {
    let rows = [LoadFigures.Row(cells: LoadFigures.columns, hasFailed: false)] + figures.rows
    let widths = LoadFigures.columns.indices.map { column in rows.map { DisplayWidth.of($0.cells[column]) }.max() ?? 0 }
    var lines: [StyledText] = []
    for (number, row) in rows.enumerated() {
      var line = StyledText(row.cells[0], number == 0 ? .dim : .emphasis).padded(to: widths[0])
      for (column, cell) in row.cells.enumerated().dropFirst() {
        let failed: StyledText.Style = cell == "0" ? .plain : row.hasFailed ? .error : .warning
        line += "  " + StyledText(cell, number == 0 ? .dim : column == 2 ? failed : .plain).padded(to: widths[column], .trailing)
      }
      lines.append(line)
    }
    lines.append(StyledText(figures.explanation, .dim))
    let errors = figures.errors
    if !errors.isEmpty { lines += ["", "\("Errors", .key)"] + errors.map { StyledText("  \($0)") } }
    let expectations = figures.expectations
    if !expectations.isEmpty {
      lines += ["", "\("Expected", .key)"]
      lines += expectations.map { expectation -> StyledText in
        let isMet = expectation.isMet
        return "\(isMet ? glyphs.passed : glyphs.failed, isMet ? .success : .failure) \(expectation.words)"
      }
    }
    return lines
  }

  /// Returns the measurements so far in one line, such as `10.0 s  2,000 done  200/s  p50 1.23 ms  p95 3.40 ms  p99 8.10 ms`.
  func line(_ progress: LoadProgress) -> StyledText {
    var line = StyledText(Readable.elapsed(progress.elapsed).padded(to: 8), .dim)
    line += "  \(Readable.count(progress.ended).padded(to: 9)) done  \("\(LoadFigures.number(progress.perSecond))/s".padded(to: 9))"
    // A narrow terminal cuts the end of the line.
    if progress.failed > 0 { line += "  \("\(glyphs.failed) \(Readable.count(progress.failed))", .failure)" }
    if progress.late > 0 { line += "  \("\(Readable.count(progress.late)) late", .warning)" }
    for percent in [50, 95, 99] {
      line += "  \("p\(percent)", .dim) \(LoadFigures.time(progress.latency.percentile(Double(percent))))"
    }
    return line
  }
}

extension String {
  /// Returns the text with spaces before it, so that it is right-aligned in a column of the given width.
  fileprivate func padded(to width: Int) -> String { String(repeating: " ", count: max(0, width - utf8.count)) + self }
}

import GarlandDiagnostics

/// Aligns texts in columns: the first column to the left, numbers to the right.
enum PlainTable {
  /// Returns a line for each row.
  static func lines(_ rows: [[String]]) -> [String] {
    guard let first = rows.first else { return [] }
    let widths = first.indices.map { column in rows.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
    return rows.map { row in
      let padded = row.enumerated().map { column, text in
        let space = String(repeating: " ", count: widths[column] - DisplayWidth.of(text))
        return column == 0 ? text + space : space + text
      }
      return padded.joined(separator: "  ")
    }
  }
}

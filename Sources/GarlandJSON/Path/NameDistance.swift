/// The edit distance of two names, which shows whether one may be a misspelling of the other.
enum NameDistance {
  /// Whether one name may be a misspelling of the other. One typing mistake is always permitted. More mistakes are permitted up to a third
  /// of the shorter name's length.
  static func areNear(_ first: String, _ second: String) -> Bool {
    let limit = max(1, min(first.count, second.count) / 3)
    return distance(Array(first.lowercased().unicodeScalars), Array(second.lowercased().unicodeScalars)) <= limit
  }

  /// Returns the minimum number of edits that turn the first name into the second. An edit inserts, deletes or replaces a character, or
  /// swaps two neighbouring characters.
  private static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
    guard first.count <= 64, second.count <= 64 else { return .max }
    var rows = [Array(0...second.count)]
    for (row, scalar) in first.enumerated() {
      var current = [row + 1]
      for (column, other) in second.enumerated() {
        var best = min(rows[row][column + 1] + 1, current[column] + 1, rows[row][column] + (scalar == other ? 0 : 1))
        if row > 0, column > 0, scalar == second[column - 1], first[row - 1] == other {
          best = min(best, rows[row - 1][column - 1] + 1)
        }
        current.append(best)
      }
      rows.append(current)
    }
    return rows[first.count][second.count]
  }
}

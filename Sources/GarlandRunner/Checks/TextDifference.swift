/// Where two texts of several lines differ first.
enum TextDifference {
  /// How many lines of each are shown.
  static let shown = 4

  /// Lines with `-` for what was expected and `+` for what was found, from the first that differs on, after the one before it. Empty for short texts.
  static func lines(expected: String, actual: String) -> [String] {
    let left = Shown.masked(expected).split(separator: "\n", omittingEmptySubsequences: false)
    let right = Shown.masked(actual).split(separator: "\n", omittingEmptySubsequences: false)
    guard left.count > 1 || right.count > 1 else { return [] }
    let same = zip(left, right).prefix { $0 == $1 }.count
    var lines = ["@@ line \(same + 1) @@"]
    if same > 0 { lines.append("  " + cut(left[same - 1])) }
    lines += left.dropFirst(same).prefix(shown).map { "- " + cut($0) }
    lines += right.dropFirst(same).prefix(shown).map { "+ " + cut($0) }
    if max(left.count, right.count) - same > shown { lines.append("…") }
    return lines
  }

  /// The excerpt of a text around a line.
  static func cut(_ line: Substring) -> String { Shown.cut(String(line), 160) }

  /// In words, where two texts of one line part: `they differ from character 5 on`. Nil when one look tells.
  static func place(expected: String, actual: String) -> String? {
    let left = expected.unicodeScalars
    let right = actual.unicodeScalars
    guard left.count > 20, right.count > 20 else { return nil }
    let same = zip(left, right).prefix { $0 == $1 }.count
    return same > 8 ? "they differ from character \(same + 1) on" : nil
  }
}

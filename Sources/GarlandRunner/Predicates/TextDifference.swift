import GarlandJSON
import Glibc

/// Shows the first difference between two texts.
enum TextDifference {
  /// The maximum number of lines that are shown of the expected text, and also of the actual text.
  static let shown = 4

  /// Returns lines that show the first difference between two texts: the line number (`@@ line 3 @@`), the last equal line, the expected
  /// lines after `-`, and the actual lines after `+`. Returns no lines if both texts have only one line.
  static func lines(expected: String, actual: String) -> [String] {
    let (left, right) = (Shown.masked(expected), Shown.masked(actual))
    guard hasLines(left) || hasLines(right) else { return [] }
    var same = sameLines(left, right)
    var (leftRest, rightRest) = (rest(of: left, from: same.end), rest(of: right, from: same.end))
    // The last line of one text may have no line break, while the same line of the other text has one.
    if leftRest.first == rightRest.first {
      same = (same.count + 1, leftRest.first ?? "", same.end)
      (leftRest, rightRest) = (Array(leftRest.dropFirst()), Array(rightRest.dropFirst()))
    }
    var lines = ["@@ line \(same.count + 1) @@"]
    if same.count > 0 { lines.append("  " + cut(same.last)) }
    lines += leftRest.prefix(shown).map { "- " + cut($0) }
    lines += rightRest.prefix(shown).map { "+ " + cut($0) }
    if max(leftRest.count, rightRest.count) > shown { lines.append("…") }
    return lines
  }

  private static func hasLines(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in bytes.baseAddress.map { memchr($0, 0x0A, bytes.count) != nil } ?? false }
  }

  /// Finds the equal lines at the beginning of both texts. Returns the number of the equal lines, the last equal line, and the index in
  /// `left` at which the next line begins.
  private static func sameLines(_ left: String, _ right: String) -> (count: Int, last: Substring, end: String.Index) {
    let computation = Computation.current
    var same = (count: 0, last: left[..<left.startIndex], end: left.startIndex)
    var (index, other) = (left.utf8.startIndex, right.utf8.startIndex)
    while index < left.utf8.endIndex, other < right.utf8.endIndex, left.utf8[index] == right.utf8[other] {
      if let computation, computation.isOver() { break }
      let isEnd = left.utf8[index] == 0x0A
      left.utf8.formIndex(after: &index)
      right.utf8.formIndex(after: &other)
      if isEnd { same = (same.count + 1, left[same.end..<index].dropLast(), index) }
    }
    return same
  }

  /// Returns the lines from an offset on. If there are more lines than a message shows, the last returned line contains the rest of the
  /// text.
  private static func rest(of text: String, from start: String.Index) -> [Substring] {
    let rest = text[start...].utf8
    return rest.split(separator: 0x0A, maxSplits: shown + 1, omittingEmptySubsequences: false).map { Substring($0) }
  }

  /// Returns a line, shortened to an excerpt.
  static func cut(_ line: Substring) -> String { Shown.cut(String(line), 160) }

  /// Returns a description of the place where two single-line texts differ, such as `the texts differ from character 12 on`.
  ///
  /// Returns nil if one of the texts has at most 20 characters. Also returns nil if the texts differ within the first 9 characters, since
  /// such a difference is easy to see.
  static func place(expected: String, actual: String) -> String? {
    let left = expected.unicodeScalars
    let right = actual.unicodeScalars
    guard !left.dropFirst(20).isEmpty, !right.dropFirst(20).isEmpty else { return nil }
    let computation = Computation.current
    let same = zip(left, right).prefix { $0 == $1 && computation?.isOver() != true }.count
    return same > 8 ? "the texts differ from character \(same + 1) on" : nil
  }
}

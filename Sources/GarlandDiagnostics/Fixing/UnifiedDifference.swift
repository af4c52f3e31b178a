/// The difference between two texts in the format of `diff -u`, with colours. `patch` and `git apply` can read it.
package struct UnifiedDifference {
  /// The number of unchanged lines shown before and after a change.
  private static let context = 3

  private enum Line {
    case same, removed, added
  }

  private let name: String
  private let old: [ArraySlice<UInt8>]
  private let new: [ArraySlice<UInt8>]

  /// Computes the difference of two texts.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - old: The text before the change.
  ///   - new: The text after the change.
  package init(of name: String, from old: [UInt8], to new: [UInt8]) {
    self.name = name
    self.old = Self.lines(old)
    self.new = Self.lines(new)
  }

  /// The difference, ending with a line break; empty if the texts are equal.
  package var text: StyledText {
    let lines = changes()
    let hunks = Self.hunks(lines)
    guard !hunks.isEmpty else { return StyledText() }
    let name = DisplayText.visible(name)
    var result: StyledText = "\("--- \(name)\n+++ \(name)\n", .emphasis)"
    for hunk in hunks {
      let removed = lines[..<hunk.lowerBound].count { $0 != .added }
      let added = lines[..<hunk.lowerBound].count { $0 != .removed }
      result += header(hunk, lines, removed, added)
      var (from, to) = (removed, added)
      for line in lines[hunk] {
        switch line {
        case .same: result += Self.shown(" ", old[from], .plain)
        case .removed: result += Self.shown("-", old[from], .failure)
        case .added: result += Self.shown("+", new[to], .success)
        }
        if line != .added { from += 1 }
        if line != .removed { to += 1 }
      }
    }
    return result
  }

  /// Splits bytes into lines, which include their line breaks.
  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
      lines.append(bytes[start..<end])
      start = end
    }
    return lines
  }

  private func changes() -> [Line] {
    let head = zip(old, new).prefix { $0 == $1 }.count
    let tail = zip(old.dropFirst(head).reversed(), new.dropFirst(head).reversed()).prefix { $0 == $1 }.count
    // Equal lines get equal numbers, so that the text of a long line is compared only once.
    var numbers: [ArraySlice<UInt8>: Int] = [:]
    func number(_ line: ArraySlice<UInt8>) -> Int {
      let next = numbers.count
      return numbers[line]
        ?? {
          numbers[line] = next; return next
        }()
    }
    let (left, right) = (old[head..<old.count - tail].map(number), new[head..<new.count - tail].map(number))
    var (removed, added): (Set<Int>, Set<Int>) = ([], [])
    for change in right.difference(from: left) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var result = [Line](repeating: .same, count: head)
    var (from, to) = (0, 0)
    while from < left.count || to < right.count {
      if removed.contains(from) {
        result.append(.removed)
        from += 1
      } else if added.contains(to) {
        result.append(.added)
        to += 1
      } else {
        result.append(.same)
        from += 1
        to += 1
      }
    }
    return result + [Line](repeating: .same, count: tail)
  }

  /// Returns the ranges of lines to show: the changed lines, with the unchanged lines around them. Ranges that touch or overlap are merged.
  private static func hunks(_ lines: [Line]) -> [Range<Int>] {
    var hunks: [Range<Int>] = []
    for index in lines.indices where lines[index] != .same {
      let range = max(0, index - context)..<min(lines.count, index + context + 1)
      if let last = hunks.last, range.lowerBound <= last.upperBound {
        hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
      } else {
        hunks.append(range)
      }
    }
    return hunks
  }

  private func header(_ hunk: Range<Int>, _ lines: [Line], _ removed: Int, _ added: Int) -> StyledText {
    func span(_ before: Int, _ count: Int) -> String {
      // If one side has no lines, its number is that of the preceding line.
      let start = count == 0 ? before : before + 1
      return count == 1 ? "\(start)" : "\(start),\(count)"
    }
    let left = span(removed, lines[hunk].count { $0 != .added })
    let right = span(added, lines[hunk].count { $0 != .removed })
    return "\("@@ -\(left) +\(right) @@\n", .note)"
  }

  private static func shown(_ mark: String, _ line: ArraySlice<UInt8>, _ style: StyledText.Style) -> StyledText {
    let isComplete = line.last == UInt8(ascii: "\n")
    var content = isComplete ? line.dropLast() : line
    let ending = isComplete && content.last == UInt8(ascii: "\r") ? "\r\n" : "\n"
    if ending.utf8.count == 2 { content = content.dropLast() }
    // A byte order mark is kept unchanged, since otherwise `patch` could not apply the difference.
    let hasMark = content.startIndex == 0 && content.starts(with: [0xEF, 0xBB, 0xBF])
    let text = DisplayText.visible(String(decoding: hasMark ? content.dropFirst(3) : content, as: UTF8.self), keepingLines: true)
    var result = StyledText(mark + (hasMark ? "\u{FEFF}" : "") + text, style)
    result += StyledText(ending)
    if !isComplete { result += "\("\\ No newline at end of file\n", .dim)" }
    return result
  }
}

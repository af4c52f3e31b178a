import GarlandJSON

/// The line-by-line difference of two texts, in the form of `diff -u`: `-` marks the expected text, `+` the actual text.
struct LineDifference {
  /// The maximum number of lines that are shown.
  static let limit = 40
  /// The number of lines that are shown around a change.
  static let context = 2
  /// The maximum number of lines in the differing part of each text for which the shortest difference is computed. The time and memory for
  /// this computation are proportional to the product of the line counts of both parts. If a part is longer, only the first lines of both
  /// parts are shown.
  static let mostLines = 2000

  private(set) var lines: [String] = []
  /// The number of lines that were added, removed or changed.
  private(set) var count = 0

  private enum Step {
    case same(Substring, number: Int)
    case removed(Substring)
    case added(Substring)
  }

  init(expected: String, actual: String) {
    let left = Self.lines(of: expected)
    let right = Self.lines(of: actual)
    let computation = Computation.current
    func areSame(_ line: Substring, _ other: Substring) -> Bool {
      computation?.isOver(after: 16 + line.utf8.count / 16) != true && line == other
    }
    let same = zip(left, right).prefix(while: areSame).count
    let tail = zip(left.dropFirst(same).reversed(), right.dropFirst(same).reversed()).prefix(while: areSame).count
    let leftMiddle = left[same..<left.count - tail]
    let rightMiddle = right[same..<right.count - tail]
    let before = left[max(0, same - Self.context)..<same]
    var steps: [Step] = before.indices.map { .same(left[$0], number: $0 + 1) }
    if leftMiddle.count <= Self.mostLines, rightMiddle.count <= Self.mostLines {
      steps += Self.steps(leftMiddle, rightMiddle, from: same + 1)
      count = max(
        steps.count { if case .removed = $0 { true } else { false } }, steps.count { if case .added = $0 { true } else { false } })
    } else {
      steps += leftMiddle.prefix(Self.limit + 1).map { .removed($0) } + rightMiddle.prefix(Self.limit + 1).map { .added($0) }
      count = max(leftMiddle.count, rightMiddle.count)
    }
    let after = right.count - tail
    steps += right[after...].prefix(Self.context).enumerated().map { .same($1, number: after + $0 + 1) }
    show(steps, from: before.startIndex + 1)
  }

  /// Returns the lines of a text. If the time limit is reached, returns only some of them.
  private static func lines(of text: String) -> [Substring] {
    let computation = Computation.current
    let bytes = text.utf8
    var lines: [Substring] = []
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: 0x0A), computation?.isOver(after: 64) != true {
      lines.append(text[start..<end])
      start = bytes.index(after: end)
    }
    return lines + [text[start...]]
  }

  private static func steps(_ left: ArraySlice<Substring>, _ right: ArraySlice<Substring>, from start: Int) -> [Step] {
    // Equal lines get equal numbers, so that long lines are compared only once.
    var numbers: [Substring: Int] = [:]
    func number(_ line: Substring) -> Int {
      if let known = numbers[line] { return known }
      numbers[line] = numbers.count
      return numbers.count - 1
    }
    let difference = right.map(number).difference(from: left.map(number))
    var removed: Set<Int> = []
    var added: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    let left = Array(left)
    let right = Array(right)
    var result: [Step] = []
    var (from, to) = (0, 0)
    while from < left.count || to < right.count {
      if from < left.count, removed.contains(from) {
        result.append(.removed(left[from]))
        from += 1
      } else if to < right.count, added.contains(to) {
        result.append(.added(right[to]))
        to += 1
      } else if from < left.count, to < right.count {
        result.append(.same(right[to], number: start + to))
        from += 1
        to += 1
      } else {
        break
      }
    }
    return result
  }

  /// Adds the output lines for a list of edit steps (equal, removed and added lines).
  ///
  /// - Parameter first: the line number of the first edit step in the actual text. Removed lines have no number in this text.
  private mutating func show(_ steps: [Step], from first: Int) {
    let changes = steps.indices.filter { if case .same = steps[$0] { false } else { true } }
    var shown: Set<Int> = []
    for index in changes.prefix(Self.limit) { shown.formUnion(max(0, index - Self.context)...min(steps.count - 1, index + Self.context)) }
    var last = -2
    for index in shown.sorted().prefix(Self.limit) {
      if index != last + 1 { lines.append("@@ line \(Self.number(steps, index, from: first)) @@") }
      last = index
      switch steps[index] {
      case .same(let line, _): lines.append("  " + TextDifference.cut(line))
      case .removed(let line): lines.append("- " + TextDifference.cut(line))
      case .added(let line): lines.append("+ " + TextDifference.cut(line))
      }
    }
    if let lastChange = changes.last, lastChange > last { lines.append("…") }
  }

  /// Returns the number of the actual text's line for the edit step `steps[index]`. For an edit step that removes an expected line, this is
  /// the number of the actual line that follows.
  ///
  /// - Parameter first: the number of the actual text's line for the first edit step.
  private static func number(_ steps: [Step], _ index: Int, from first: Int) -> Int {
    var number = first
    for step in steps[..<index] { if case .removed = step { continue } else { number += 1 } }
    return number
  }
}

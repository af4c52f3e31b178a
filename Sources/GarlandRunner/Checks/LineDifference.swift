/// How two texts differ, line by line, as `diff -u` shows it: `-` for what was expected, `+` for what was found.
struct LineDifference {
  /// How many lines are shown at most.
  static let limit = 40
  /// How many lines around a change are shown.
  static let context = 2
  /// With more lines than this only the first change is looked for: finding the shortest way costs their product, in time and in memory.
  static let mostLines = 2000

  private(set) var lines: [String] = []
  /// How many lines were added, removed or changed.
  private(set) var count = 0

  private enum Step {
    case same(Substring, number: Int)
    case removed(Substring)
    case added(Substring)
  }

  init(expected: String, actual: String) {
    let left = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let right = actual.split(separator: "\n", omittingEmptySubsequences: false)
    let same = zip(left, right).prefix { $0 == $1 }.count
    let tail = zip(left.dropFirst(same).reversed(), right.dropFirst(same).reversed()).prefix { $0 == $1 }.count
    let leftMiddle = left[same..<left.count - tail]
    let rightMiddle = right[same..<right.count - tail]
    var steps: [Step] = left[..<same].enumerated().map { .same($1, number: $0 + 1) }
    steps += Self.steps(leftMiddle, rightMiddle, from: same + 1)
    steps += right[(right.count - tail)...].enumerated().map { .same($1, number: right.count - tail + $0 + 1) }
    count = max(
      steps.count { if case .removed = $0 { true } else { false } }, steps.count { if case .added = $0 { true } else { false } })
    show(steps)
  }

  private static func steps(_ left: ArraySlice<Substring>, _ right: ArraySlice<Substring>, from start: Int) -> [Step] {
    guard left.count <= mostLines, right.count <= mostLines else {
      return left.map { .removed($0) } + right.map { .added($0) }
    }
    // Equal lines have equal numbers, so that long ones are compared only once.
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

  private mutating func show(_ steps: [Step]) {
    let changes = steps.indices.filter { if case .same = steps[$0] { false } else { true } }
    var shown: Set<Int> = []
    for index in changes.prefix(Self.limit) { shown.formUnion(max(0, index - Self.context)...min(steps.count - 1, index + Self.context)) }
    var last = -2
    for index in shown.sorted().prefix(Self.limit) {
      if index != last + 1 { lines.append("@@ line \(Self.number(steps, index)) @@") }
      last = index
      switch steps[index] {
      case .same(let line, _): lines.append("  " + TextDifference.cut(line))
      case .removed(let line): lines.append("- " + TextDifference.cut(line))
      case .added(let line): lines.append("+ " + TextDifference.cut(line))
      }
    }
    if let lastChange = changes.last, lastChange > last { lines.append("…") }
  }

  /// The number of a line in what was found.
  private static func number(_ steps: [Step], _ index: Int) -> Int {
    var number = 1
    for step in steps[..<index] { if case .removed = step { continue } else { number += 1 } }
    return number
  }
}

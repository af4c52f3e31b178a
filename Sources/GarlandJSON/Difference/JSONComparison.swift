/// Compares two values side by side and records their differences.
struct JSONComparison {
  /// The maximum product of the lengths of two arrays whose equal elements are matched, so that an inserted element is a single difference.
  /// Equal elements at the beginnings and ends of the arrays do not count. Larger arrays are compared position by position, since the
  /// matching would take too long.
  private static let mostAlignedPairs = 40_000

  /// The maximum depth of a path in the list of differences. Values at this depth are compared only as a whole. Deeper paths would be
  /// unreadable, and each level of the comparison needs stack space.
  private static let deepestPath = 500

  private let mode: JSONDifference.Mode
  private let limit: Int
  private var path: [JSONPathElement] = []
  private(set) var differences: [JSONDifference] = []
  private let computation = Computation.current

  init(mode: JSONDifference.Mode, limit: Int) {
    self.mode = mode
    self.limit = limit
  }

  /// Whether the comparison is over, because the maximum number of differences or the time limit was reached.
  private var isDone: Bool { differences.count >= limit || computation?.isOver(after: 16) == true }

  private mutating func note(_ change: JSONDifference.Change) {
    guard !isDone else { return }
    differences.append(JSONDifference(location: NormalizedPath(path), change: change))
  }

  private mutating func note(_ change: JSONDifference.Change, at element: JSONPathElement) {
    path.append(element)
    note(change)
    path.removeLast()
  }

  mutating func compare(_ expected: JSONValue, _ actual: JSONValue) {
    guard !isDone else { return }
    guard path.count < JSONComparison.deepestPath else {
      if expected != actual { note(.different(expected: expected, actual: actual)) }
      return
    }
    switch (expected, actual) {
    case (.object(let left), .object(let right)): compare(left, right)
    case (.array(let left), .array(let right)):
      switch mode {
      case .exact: compare(left, right)
      case .subset: compareByPosition(left, 0..<left.count, right, 0..<right.count)
      }
    default:
      if expected != actual { note(.different(expected: expected, actual: actual)) }
    }
  }

  private mutating func compare(_ expected: JSONValue, _ actual: JSONValue, at element: JSONPathElement) {
    path.append(element)
    compare(expected, actual)
    path.removeLast()
  }

  private mutating func compare(_ expected: JSONObject, _ actual: JSONObject) {
    for member in expected.members {
      guard !isDone else { return }
      if let value = actual[member.key] {
        compare(member.value, value, at: .name(member.key))
      } else {
        note(.missing(member.value), at: .name(member.key))
      }
    }
    guard mode == .exact else { return }
    for member in actual.members where expected.position(of: member.key) == nil {
      note(.unexpected(member.value), at: .name(member.key))
    }
  }

  // MARK: Arrays

  private mutating func compare(_ expected: [JSONValue], _ actual: [JSONValue]) {
    var start = 0
    while start < expected.count, start < actual.count, !isDone, expected[start] == actual[start] { start += 1 }
    var expectedEnd = expected.count
    var actualEnd = actual.count
    while expectedEnd > start, actualEnd > start, !isDone, expected[expectedEnd - 1] == actual[actualEnd - 1] {
      expectedEnd -= 1
      actualEnd -= 1
    }
    let expectedPart = start..<expectedEnd
    let actualPart = start..<actualEnd
    guard expectedPart.count * actualPart.count <= JSONComparison.mostAlignedPairs else {
      return compareByPosition(expected, expectedPart, actual, actualPart)
    }
    // The elements between two common elements are compared in pairs.
    var expectedStart = start
    var actualStart = start
    for pair in JSONComparison.commonElements(expected, expectedPart, actual, actualPart) {
      compareByPosition(expected, expectedStart..<pair.expected, actual, actualStart..<pair.actual)
      expectedStart = pair.expected + 1
      actualStart = pair.actual + 1
    }
    compareByPosition(expected, expectedStart..<expectedEnd, actual, actualStart..<actualEnd)
  }

  private mutating func compareByPosition(
    _ expected: [JSONValue], _ expectedPart: Range<Int>, _ actual: [JSONValue], _ actualPart: Range<Int>
  ) {
    for (expectedIndex, actualIndex) in zip(expectedPart, actualPart) {
      guard !isDone else { return }
      compare(expected[expectedIndex], actual[actualIndex], at: .index(actualIndex))
    }
    for index in expectedPart.dropFirst(actualPart.count) { note(.missing(expected[index]), at: .index(index)) }
    for index in actualPart.dropFirst(expectedPart.count) { note(.unexpected(actual[index]), at: .index(index)) }
  }

  /// Returns the index pairs of the longest common subsequence of two arrays.
  private static func commonElements(
    _ expected: [JSONValue], _ expectedPart: Range<Int>, _ actual: [JSONValue], _ actualPart: Range<Int>
  ) -> [(expected: Int, actual: Int)] {
    guard !expectedPart.isEmpty, !actualPart.isEmpty else { return [] }
    // Equal elements get equal numbers, so that each is compared only once.
    var numbers: [JSONValue: Int] = [:]
    func number(_ value: JSONValue) -> Int {
      if let known = numbers[value] { return known }
      numbers[value] = numbers.count
      return numbers.count - 1
    }
    let left = expectedPart.map { number(expected[$0]) }
    let right = actualPart.map { number(actual[$0]) }
    var lengths = Array(repeating: Array(repeating: 0, count: right.count + 1), count: left.count + 1)
    for row in left.indices.reversed() {
      for column in right.indices.reversed() {
        lengths[row][column] =
          left[row] == right[column] ? lengths[row + 1][column + 1] + 1 : max(lengths[row + 1][column], lengths[row][column + 1])
      }
    }
    var pairs: [(expected: Int, actual: Int)] = []
    var (row, column) = (0, 0)
    while row < left.count, column < right.count {
      if left[row] == right[column] {
        pairs.append((expectedPart.lowerBound + row, actualPart.lowerBound + column))
        row += 1
        column += 1
      } else if lengths[row + 1][column] >= lengths[row][column + 1] {
        row += 1
      } else {
        column += 1
      }
    }
    return pairs
  }
}

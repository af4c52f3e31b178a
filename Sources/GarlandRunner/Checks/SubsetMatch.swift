import GarlandJSON

/// `subset`: of an object, its members with subsets of their values; of a list, each item a subset of an item of its own; otherwise, equal.
enum SubsetMatch {
  static func holds(_ expected: JSONValue, in actual: JSONValue) -> Bool {
    switch (expected, actual) {
    case (.object(let expected), .object(let actual)):
      for (key, value) in expected {
        guard let found = actual[key], holds(value, in: found) else { return false }
      }
      return true
    case (.array(let expected), .array(let actual)):
      return expected.count <= actual.count && unmatched(expected, in: actual).isEmpty
    default: return expected == actual
    }
  }

  /// The positions of expected items for which no item of their own is left: a bipartite matching by augmenting paths, since the first item that fits
  /// may be the only one that fits another.
  static func unmatched(_ expected: [JSONValue], in actual: [JSONValue]) -> [Int] {
    var owner = [Int?](repeating: nil, count: actual.count)
    var missing: [Int] = []
    for index in expected.indices {
      var tried = [Bool](repeating: false, count: actual.count)
      if !place(index, expected, actual, &owner, &tried) { missing.append(index) }
    }
    return missing
  }

  private static func place(
    _ index: Int, _ expected: [JSONValue], _ actual: [JSONValue], _ owner: inout [Int?], _ tried: inout [Bool]
  ) -> Bool {
    // Where it fits without moving another, it needs no search.
    for position in actual.indices where owner[position] == nil && !tried[position] && holds(expected[index], in: actual[position]) {
      owner[position] = index
      return true
    }
    for position in actual.indices where !tried[position] {
      guard let other = owner[position], holds(expected[index], in: actual[position]) else { continue }
      tried[position] = true
      if place(other, expected, actual, &owner, &tried) {
        owner[position] = index
        return true
      }
    }
    return false
  }
}

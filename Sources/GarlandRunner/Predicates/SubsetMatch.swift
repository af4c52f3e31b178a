import GarlandJSON

/// Checks the predicate `subset`.
///
/// An object must have the expected members, and the value of each member is compared with the expected value by the same rules. In a list,
/// each expected item must match a different item of the actual list. Other values must be equal.
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

  /// Returns the positions of the expected items to which no actual item can be assigned. Each actual item is assigned to at most one
  /// expected item. The function computes a bipartite matching with augmenting paths, since the first actual item that matches one expected
  /// item may be the only match for another expected item.
  static func unmatched(_ expected: [JSONValue], in actual: [JSONValue]) -> [Int] {
    var matching = ItemMatching(expected, actual)
    return expected.indices.filter { !matching.place($0) }
  }
}

/// Assigns to each expected item an actual item that matches it and that is assigned to no other expected item.
private struct ItemMatching {
  private let expected: [JSONValue]
  private let actual: [JSONValue]
  private var owner: [Int?]
  private let computation = Computation.current

  init(_ expected: [JSONValue], _ actual: [JSONValue]) {
    self.expected = expected
    self.actual = actual
    owner = Array(repeating: nil, count: actual.count)
  }

  /// An expected item that still needs an actual item, and the progress of the search for this actual item.
  private struct Seeker {
    let item: Int
    var next = 0
    /// The actual item that this expected item takes from another expected item; -1 before such an actual item is found. The other expected
    /// item must then get a different actual item.
    var wanted = -1
  }

  /// Assigns an actual item to an expected item, and moves earlier assignments if necessary. Returns false if no item could be assigned.
  /// The function uses an explicit stack instead of recursion, since it may have to move all items.
  mutating func place(_ item: Int) -> Bool {
    var tried = Set<Int>()
    var seekers = [Seeker(item: item)]
    while var seeker = seekers.popLast() {
      if isOver { return false }
      // If a free item matches, no search is necessary.
      if seeker.next == 0, let free = actual.indices.first(where: { owner[$0] == nil && fits(seeker.item, $0) }) {
        owner[free] = seeker.item
        for waiting in seekers.reversed() { owner[waiting.wanted] = waiting.item }
        return true
      }
      guard let taken = actual.indices[seeker.next...].first(where: { owner[$0] != nil && !tried.contains($0) && fits(seeker.item, $0) }),
        let other = owner[taken]
      else { continue }
      tried.insert(taken)
      seeker.next = taken + 1
      seeker.wanted = taken
      seekers.append(seeker)
      seekers.append(Seeker(item: other))
    }
    return false
  }

  private var isOver: Bool { computation?.hasEnded ?? false }

  private func fits(_ item: Int, _ place: Int) -> Bool {
    if let computation, computation.isOver(after: 16) { return false }
    return SubsetMatch.holds(expected[item], in: actual[place])
  }
}

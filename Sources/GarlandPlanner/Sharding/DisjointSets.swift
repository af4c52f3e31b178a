/// A union-find structure: disjoint sets of numbers that can be merged. The smallest number in a
/// set is the representative of the set.
struct DisjointSets {
  private var parents: [Int32]

  /// Creates sets that contain one number each.
  ///
  /// - Parameter count: the number of sets. They contain the numbers from 0 to `count` - 1.
  init(count: Int) { parents = (0..<Int32(count)).map(\.self) }

  /// Returns the representative of the set that contains `number`.
  mutating func find(_ number: Int) -> Int {
    var current = Int32(number)
    while parents[Int(current)] != current {
      parents[Int(current)] = parents[Int(parents[Int(current)])]
      current = parents[Int(current)]
    }
    return Int(current)
  }

  /// Merges the sets that contain the two numbers.
  mutating func join(_ first: Int, _ second: Int) {
    let (one, other) = (find(first), find(second))
    if one != other { parents[max(one, other)] = Int32(min(one, other)) }
  }
}

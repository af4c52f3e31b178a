/// Disjoint sets of numbers. The smallest number of a set is its representative.
struct DisjointSets {
  private var parents: [Int32]

  /// Creates one set for each number.
  ///
  /// - Parameter count: the number of sets. The sets contain the numbers from 0 to `count` - 1.
  init(count: Int) { parents = (0..<Int32(count)).map(\.self) }

  /// Returns the representative of the set that contains a number.
  mutating func find(_ number: Int) -> Int {
    var current = Int32(number)
    while parents[Int(current)] != current {
      parents[Int(current)] = parents[Int(parents[Int(current)])]
      current = parents[Int(current)]
    }
    return Int(current)
  }

  /// Joins the sets of two numbers into one set.
  mutating func join(_ first: Int, _ second: Int) {
    let (one, other) = (find(first), find(second))
    if one != other { parents[max(one, other)] = Int32(min(one, other)) }
  }
}

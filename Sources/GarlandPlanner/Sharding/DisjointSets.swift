/// Disjoint sets of numbers, with the smallest number of a set as its representative.
struct DisjointSets {
  private var parents: [Int32]

  /// - Parameter count: the numbers are those below it, each a set of its own.
  init(count: Int) { parents = (0..<Int32(count)).map(\.self) }

  /// Returns the representative of a number's set.
  mutating func find(_ number: Int) -> Int {
    var current = Int32(number)
    while parents[Int(current)] != current {
      parents[Int(current)] = parents[Int(parents[Int(current)])]
      current = parents[Int(current)]
    }
    return Int(current)
  }

  /// Makes one set of those of two numbers.
  mutating func join(_ first: Int, _ second: Int) {
    let (one, other) = (find(first), find(second))
    if one != other { parents[max(one, other)] = Int32(min(one, other)) }
  }
}

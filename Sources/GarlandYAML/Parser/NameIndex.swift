/// Finds a key in a mapping under construction. If the mapping has few keys, they are compared one by one; if it has more, an index is
/// used.
///
/// The methods receive the mapping as the range `pairs` of the array `nodes`. This range contains node numbers of the tree: the number of
/// each key, followed by the number of its value.
struct NameIndex {
  /// The index that finds the position of a key in the mapping under construction; nil while the mapping has few keys.
  private(set) var index: KeyIndex?

  /// Returns the earlier key that has the same text as `key`; nil if there is none.
  func find(_ key: Int32, in nodes: [Int32], _ pairs: Range<Int>, _ tree: YAMLTreeBuilder) -> Int32? {
    if let index {
      let place = index.place(tree.hash(of: key)) { tree.haveSameText(nodes[pairs.lowerBound + 2 * $0], key) }
      return place.map { nodes[pairs.lowerBound + 2 * $0] }
    }
    var position = pairs.lowerBound
    while position < pairs.upperBound {
      if tree.haveSameText(nodes[position], key) { return nodes[position] }
      position += 2
    }
    return nil
  }

  /// Adds a key of a mapping to the index. The caller must call this method for each key, before it appends the key and its value to the
  /// tree.
  mutating func add(_ key: Int32, besides nodes: [Int32], _ pairs: Range<Int>, _ tree: YAMLTreeBuilder) {
    let count = pairs.count / 2
    if index != nil {
      index?.add(tree.hash(of: key), at: count)
    } else if count >= YAMLMapping.indexThreshold {
      var fresh = KeyIndex(expecting: 2 * count)
      for place in 0..<count { fresh.add(tree.hash(of: nodes[pairs.lowerBound + 2 * place]), at: place) }
      fresh.add(tree.hash(of: key), at: count)
      index = fresh
    }
  }

  /// Returns an index of the positions of all keys; nil if there are few keys.
  static func index(of pairs: [Int32], _ tree: YAMLTreeBuilder) -> KeyIndex? {
    guard pairs.count / 2 > YAMLMapping.indexThreshold else { return nil }
    var index = KeyIndex(expecting: pairs.count / 2)
    for position in stride(from: 0, to: pairs.count, by: 2) { index.add(tree.hash(of: pairs[position]), at: position / 2) }
    return index
  }
}

/// Finds a key in a mapping under construction. As long as the mapping has few keys, they are compared one by one; later an index is used.
///
/// The pairs are alternating keys and values, as node numbers in a tree.
struct NameIndex {
  /// The index of the keys' positions among the pairs; nil while there are few keys.
  private(set) var index: KeyIndex?

  /// Returns an earlier key with the same text; nil if there is none.
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

  /// Adds a key. Must be called for each key before its pair is appended.
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

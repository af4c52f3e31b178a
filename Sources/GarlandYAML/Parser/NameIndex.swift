/// Finds a key among those of a mapping under construction: by comparing as long as they are few, then by an index.
///
/// Pairs are keys and values one after the other, as numbers in a tree.
struct NameIndex {
  /// The place of each key among the pairs, once they are many.
  private(set) var index: [String: Int]?

  /// The key of the same text, if there is one.
  func find(_ key: Int32, in nodes: [Int32], _ pairs: Range<Int>, _ tree: YAMLTreeBuilder) -> Int32? {
    if let index { return index[tree.text(of: key)].map { nodes[pairs.lowerBound + 2 * $0] } }
    var position = pairs.lowerBound
    while position < pairs.upperBound {
      if tree.haveSameText(nodes[position], key) { return nodes[position] }
      position += 2
    }
    return nil
  }

  /// Call it for each key, before its pair is put behind the others.
  mutating func add(_ key: Int32, besides nodes: [Int32], _ pairs: Range<Int>, _ tree: YAMLTreeBuilder) {
    let count = pairs.count / 2
    if index != nil {
      index?[tree.text(of: key)] = count
    } else if count >= YAMLMapping.indexThreshold {
      var fresh: [String: Int] = [:]
      for place in 0..<count { fresh[tree.text(of: nodes[pairs.lowerBound + 2 * place])] = place }
      fresh[tree.text(of: key)] = count
      index = fresh
    }
  }

  /// The places of all keys, if they are many.
  static func index(of pairs: [Int32], _ tree: YAMLTreeBuilder) -> [String: Int]? {
    guard pairs.count / 2 > YAMLMapping.indexThreshold else { return nil }
    var index: [String: Int] = [:]
    for position in stride(from: 0, to: pairs.count, by: 2) { index[tree.text(of: pairs[position])] = position / 2 }
    return index
  }
}

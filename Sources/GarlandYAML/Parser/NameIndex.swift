/// Finds a key among the entries of a mapping under construction: by comparing as long as they are few, then by an index.
struct NameIndex {
  private(set) var index: [String: Int]?

  func find(_ name: String, in entries: [YAMLMapping.Entry]) -> Int? {
    if let index { return index[name] }
    return entries.firstIndex { $0.name == name }
  }

  /// Call it after the entry was appended, for each entry.
  mutating func add(_ name: String, at position: Int, of entries: [YAMLMapping.Entry]) {
    if index != nil {
      index?[name] = position
    } else if entries.count > YAMLMapping.indexThreshold {
      var fresh: [String: Int] = [:]
      for (place, entry) in entries.enumerated() { fresh[entry.name] = place }
      index = fresh
    }
  }
}

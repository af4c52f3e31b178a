/// The known keys of a mapping with their places in it, in order; those of most mappings are so few that they need no array.
struct FoundKeys<Key: DocumentKey> {
  struct Found {
    let key: Key
    let position: Int32
  }

  private static var most: Int { 8 }
  private var few = InlineArray<8, Found?>(repeating: nil)
  private var more: [Found] = []
  private(set) var count = 0

  subscript(index: Int) -> Found {
    if index < Self.most, let found = few[index] { return found }
    return more[index - Self.most]
  }

  mutating func append(_ key: Key, at position: Int) {
    let found = Found(key: key, position: Int32(truncatingIfNeeded: position))
    if count < Self.most { few[count] = found } else { more.append(found) }
    count += 1
  }

  /// The place among them of the first of which something holds.
  func firstIndex(where holds: (Key) -> Bool) -> Int? {
    var index = 0
    while index < count {
      if holds(self[index].key) { return index }
      index += 1
    }
    return nil
  }
}

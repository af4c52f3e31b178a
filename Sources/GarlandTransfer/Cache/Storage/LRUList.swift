/// A list of keys, each with a size, in the order of their last use. The least recently used key is removed first. The type is a pure
/// value; every operation takes constant time.
struct LRUList<Key: Hashable & Sendable>: Sendable {
  private struct Node: Sendable {
    let key: Key
    var size: Int64
    /// The index of the previous entry in the order from the most to the least recently used entry; nil for the most recently used entry.
    var newer: Int?
    /// The index of the next entry in the order from the most to the least recently used entry; nil for the least recently used entry.
    var older: Int?
  }

  private var nodes: [Node?] = []
  private var free: [Int] = []
  private var places: [Key: Int] = [:]
  private var newest: Int?
  private var oldest: Int?
  /// The sum of the sizes of all entries, in bytes.
  private(set) var size: Int64 = 0

  var count: Int { places.count }
  var keys: some Collection<Key> { places.keys }
  /// The keys of all entries, most recently used first.
  var ordered: [Key] {
    var result: [Key] = []
    var place = newest
    while let index = place, let node = nodes[index] {
      result.append(node.key)
      place = node.older
    }
    return result
  }

  func contains(_ key: Key) -> Bool { places[key] != nil }

  /// Inserts a key, or updates its size, and makes it the most recently used key.
  mutating func insert(_ key: Key, size: Int64) {
    remove(key)
    let index = place(Node(key: key, size: size, newer: nil, older: newest))
    if let newest { nodes[newest]?.newer = index }
    newest = index
    if oldest == nil { oldest = index }
  }

  /// Inserts a key as the least recently used key. Does nothing if the key is present.
  mutating func insertOldest(_ key: Key, size: Int64) {
    if contains(key) { return }
    let index = place(Node(key: key, size: size, newer: oldest, older: nil))
    if let oldest { nodes[oldest]?.older = index }
    oldest = index
    if newest == nil { newest = index }
  }

  private mutating func place(_ node: Node) -> Int {
    let index: Int
    if let reused = free.popLast() {
      nodes[reused] = node
      index = reused
    } else {
      nodes.append(node)
      index = nodes.count - 1
    }
    places[node.key] = index
    size += node.size
    return index
  }

  /// Makes a key the most recently used key.
  mutating func touch(_ key: Key) {
    guard let index = places[key], index != newest, let node = nodes[index] else { return }
    insert(key, size: node.size)
  }

  /// Removes a key. Returns false if it was absent.
  @discardableResult
  mutating func remove(_ key: Key) -> Bool {
    guard let index = places.removeValue(forKey: key), let node = nodes[index] else { return false }
    if let newer = node.newer { nodes[newer]?.older = node.older } else { newest = node.older }
    if let older = node.older { nodes[older]?.newer = node.newer } else { oldest = node.newer }
    nodes[index] = nil
    free.append(index)
    size -= node.size
    return true
  }

  /// Removes the least recently used keys. Stops when the total size is at most `limit`, or when `count` keys were removed. Returns the
  /// removed keys.
  mutating func shrink(to limit: Int64, atMost count: Int = .max) -> [Key] {
    var removed: [Key] = []
    while size > limit, removed.count < count, let index = oldest, let node = nodes[index] {
      removed.append(node.key)
      remove(node.key)
    }
    return removed
  }

  mutating func removeAll() { self = LRUList() }
}

/// The part of a cache that is in memory. It is a value type without a lock: the owner of the store protects it against concurrent use.
struct MemoryStore: Sendable {
  struct Item: Sendable {
    let record: CacheRecord
    let body: [UInt8]
    /// The identity of the file that the entry is a copy of; nil for a cache without a disk.
    let identity: EntryFile.Identity?
  }

  let capacity: Int64
  private var list = LRUList<CacheKey>()
  private var items: [CacheKey: Item] = [:]

  init(capacity: Int64) { self.capacity = capacity }

  /// The maximum size of an entry in bytes: a twentieth of the capacity.
  var entryLimit: Int64 { capacity / 20 }

  var usage: (bytes: Int64, entries: Int) { (list.size, list.count) }

  func item(_ key: CacheKey) -> Item? { items[key] }

  mutating func touch(_ key: CacheKey) { list.touch(key) }

  /// Inserts an entry. If the entry is too large, removes an existing entry for the key and returns false.
  @discardableResult
  mutating func insert(_ item: Item, at key: CacheKey) -> Bool {
    let size = Int64(item.body.count) + Self.size(of: item.record)
    guard size <= entryLimit else {
      remove(key)
      return false
    }
    items[key] = item
    list.insert(key, size: size)
    for key in list.shrink(to: capacity) { items[key] = nil }
    return true
  }

  mutating func remove(_ key: CacheKey) {
    items[key] = nil
    list.remove(key)
  }

  mutating func move(_ key: CacheKey, to other: CacheKey) {
    guard let item = items[key] else { return }
    remove(key)
    insert(item, at: other)
  }

  mutating func removeAll() { self = MemoryStore(capacity: capacity) }

  /// Returns the approximate size of a record in bytes.
  private static func size(of record: CacheRecord) -> Int64 {
    guard case .response(let head) = record else { return 256 }
    return head.fields.reduce(512) { $0 + Int64($1.name.rawName.utf8.count + $1.value.utf8.count + 64) }
  }
}

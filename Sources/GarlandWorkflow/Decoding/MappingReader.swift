import GarlandDiagnostics
import GarlandYAML

/// The entries of a mapping by its known keys. Making one reports every key that is not known.
struct MappingReader<Key: DocumentKey> {
  /// Entries with their keys. Each is made at its first use: a search through the keys alone counts
  /// no references.
  struct Entries: RandomAccessCollection {
    fileprivate let mapping: YAMLMapping
    fileprivate let found: [(key: Key, position: Int32)]

    var startIndex: Int { 0 }
    var endIndex: Int { found.count }
    subscript(index: Int) -> (key: Key, entry: YAMLMapping.Entry) {
      (found[index].key, mapping.entry(at: Int(found[index].position)))
    }
  }

  /// The known ones, in document order.
  let entries: Entries
  /// Which these are.
  let keys: KeySet<Key>
  /// The mapping.
  let node: YAMLNode
  /// Whether a key was refused, so that a missing one is perhaps only that.
  let hasRefusedKeys: Bool

  init(_ node: YAMLNode, _ mapping: YAMLMapping, _ table: KeyTable<Key>, into diagnostics: inout DiagnosticList) {
    var found: [(key: Key, position: Int32)] = []
    var keys = KeySet<Key>()
    let count = mapping.count
    found.reserveCapacity(count)
    mapping.forEachName { position, name in
      guard let named = table.key(name) else { return }
      let key = Key.key(named, with: mapping.entry(at: position).value)
      found.append((key, Int32(truncatingIfNeeded: position)))
      keys.insert(key)
    }
    hasRefusedKeys = found.count < count
    if hasRefusedKeys { Self.report(mapping, besides: found, table, into: &diagnostics) }
    entries = Entries(mapping: mapping, found: found)
    self.keys = keys
    self.node = node
  }

  private static func report(
    _ mapping: YAMLMapping, besides found: [(key: Key, position: Int32)], _ table: KeyTable<Key>, into diagnostics: inout DiagnosticList
  ) {
    let known = KnownKeys(table)
    var rest = found[...]
    for position in 0..<mapping.count {
      if let next = rest.first, Int(next.position) == position {
        rest.removeFirst()
      } else {
        for diagnostic in known.refusals(of: mapping.entry(at: position), in: mapping) { diagnostics.report(diagnostic) }
      }
    }
  }

  /// The name that was probably meant.
  static func near(_ name: String, among names: [String]) -> String? {
    KeyAliases.key(for: name, among: names) ?? Suggestion.nearest(to: name, in: names)
  }

  /// Whether a key that was refused is probably this one.
  func hasKey(near key: Key) -> Bool { hasRefusedKeys && hasKey(near: key.rawValue, of: Key.allCases.map(\.rawValue)) }

  /// Whether a key that was refused is probably this one of another mapping.
  func hasKey(near name: String, of names: [String]) -> Bool {
    guard hasRefusedKeys, let mapping = node.mapping else { return false }
    let known = Set(entries.map { $0.entry.name })
    return mapping.entries.contains { entry in
      !known.contains(entry.name)
        && (entry.name == name || MappingReader.near(entry.name, among: names) == name || KeyAliases.isHint(entry.name, for: name))
    }
  }

  subscript(key: Key) -> YAMLMapping.Entry? {
    guard keys.contains(key), let index = index(of: key) else { return nil }
    return entries[index].entry
  }

  private func index(of key: Key) -> Int? { entries.found.firstIndex { $0.key.isSame(as: key) } }

  /// The entries of some keys, in document order.
  func entries(of wanted: KeySet<Key>) -> [(key: Key, entry: YAMLMapping.Entry)] {
    guard has(oneOf: wanted) else { return [] }
    var result: [(key: Key, entry: YAMLMapping.Entry)] = []
    for (index, item) in entries.found.enumerated() where wanted.contains(item.key) { result.append(entries[index]) }
    return result
  }

  /// The entry of the only one of some keys that is there; nil if there is none, or several are.
  func onlyEntry(of wanted: KeySet<Key>) -> (key: Key, entry: YAMLMapping.Entry)? {
    guard keys.intersection(wanted).count == 1 else { return nil }
    return entries.found.firstIndex { wanted.contains($0.key) }.map { entries[$0] }
  }

  /// Whether one of some keys is there.
  func has(oneOf wanted: KeySet<Key>) -> Bool { !keys.isDisjoint(with: wanted) }

  /// The key of an entry by its place.
  func key(at index: Int) -> Key { entries.found[index].key }

  /// Whether an entry by its place has null.
  func isNull(at index: Int) -> Bool { entries.mapping.isNull(at: Int(entries.found[index].position)) }

  /// Whether a key is there.
  func has(_ key: Key) -> Bool { keys.contains(key) }

  /// The value of a key that is there and not null.
  func value(_ key: Key) -> YAMLNode? {
    guard keys.contains(key), let index = index(of: key) else { return nil }
    return isNull(at: index) ? nil : entries.mapping.value(at: Int(entries.found[index].position))
  }

  /// Whether a key is there with null.
  func isNull(_ key: Key) -> Bool { keys.contains(key) && index(of: key).map(isNull(at:)) == true }
}

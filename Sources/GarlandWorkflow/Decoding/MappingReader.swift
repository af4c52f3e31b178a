import GarlandDiagnostics
import GarlandYAML

/// Reads those entries of a mapping whose keys are known. The initializer reports every unknown key.
struct MappingReader<Key: DocumentKey> {
  /// The entries of a mapping with known keys, each with its key. An entry is created only when it is used, because its creation takes time
  /// for reference counting. A search that reads only the keys creates no entries.
  struct Entries: RandomAccessCollection {
    fileprivate let mapping: YAMLMapping
    fileprivate let found: [(key: Key, position: Int32)]

    var startIndex: Int { 0 }
    var endIndex: Int { found.count }
    subscript(index: Int) -> (key: Key, entry: YAMLMapping.Entry) {
      (found[index].key, mapping.entry(at: Int(found[index].position)))
    }
  }

  /// The entries whose keys are known, in document order.
  let entries: Entries
  /// The known keys that occur in the mapping.
  let keys: KeySet<Key>
  /// The mapping as a YAML node.
  let node: YAMLNode
  /// Whether the mapping has unknown keys, which were reported. If true, one of them may be the misspelt name of a required key that seems
  /// to be missing.
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
    if hasRefusedKeys { Self.report(mapping, at: node, besides: found, table, into: &diagnostics) }
    entries = Entries(mapping: mapping, found: found)
    self.keys = keys
    self.node = node
  }

  private static func report(
    _ mapping: YAMLMapping, at node: YAMLNode, besides found: [(key: Key, position: Int32)], _ table: KeyTable<Key>,
    into diagnostics: inout DiagnosticList
  ) {
    let known = KnownKeys(table)
    var rest = found[...]
    for position in 0..<mapping.count {
      if let next = rest.first, Int(next.position) == position {
        rest.removeFirst()
      } else {
        for diagnostic in known.refusals(of: mapping.entry(at: position), in: mapping, at: node) { diagnostics.report(diagnostic) }
      }
    }
  }

  /// Returns the name in `names` that the author probably meant by the misspelling `name`. Returns nil if no name is similar.
  static func near(_ name: String, among names: [String]) -> String? {
    KeyAliases.key(for: name, among: names) ?? Suggestion.nearest(to: name, in: names)
  }

  /// Returns the known keys that the author of a mapping probably meant by its unknown keys. An unknown key yields the known key with the
  /// most similar name. If the unknown key is a key of another tool, it also yields the keys that Garland suggests in its place.
  static func meantKeys(of mapping: YAMLMapping, _ table: KeyTable<Key>) -> KeySet<Key> {
    var meant = KeySet<Key>()
    for entry in mapping.entries where table.key(entry.name) == nil {
      let near = Self.near(entry.name, among: table.names)
      for key in table.keys where key.rawValue == near || KeyAliases.isHint(entry.name, for: key.rawValue) { meant.insert(key) }
    }
    return meant
  }

  /// Whether an unknown key of this mapping is probably a misspelling of `key`.
  func hasKey(near key: Key) -> Bool { !entries(near: key).isEmpty }

  /// Whether this mapping has an unknown key that the author probably wrote instead of the key `name`; `names` are all valid names.
  func hasKey(near name: String, of names: [String]) -> Bool { !entries(near: name, of: names).isEmpty }

  /// Returns the entries whose unknown keys are probably misspellings of `key`.
  func entries(near key: Key) -> [YAMLMapping.Entry] {
    hasRefusedKeys ? entries(near: key.rawValue, of: Key.allCases.map(\.rawValue)) : []
  }

  /// Returns the entries with an unknown key that the author probably wrote instead of the key `name`.
  ///
  /// - Parameter names: all valid names. An unknown key was probably written for `name` in two cases: it resembles `name` more than any
  ///   other valid name, or it is a key of another tool that corresponds to `name`.
  private func entries(near name: String, of names: [String]) -> [YAMLMapping.Entry] {
    guard hasRefusedKeys, let mapping = node.mapping else { return [] }
    let known = Set(entries.map { $0.entry.name })
    return mapping.entries.filter { entry in
      !known.contains(entry.name)
        && (entry.name == name || MappingReader.near(entry.name, among: names) == name || KeyAliases.isHint(entry.name, for: name))
    }
  }

  subscript(key: Key) -> YAMLMapping.Entry? {
    guard keys.contains(key), let index = index(of: key) else { return nil }
    return entries[index].entry
  }

  private func index(of key: Key) -> Int? { entries.found.firstIndex { $0.key.isSame(as: key) } }

  /// Returns the entries with the given keys, in document order.
  func entries(of wanted: KeySet<Key>) -> [(key: Key, entry: YAMLMapping.Entry)] {
    guard has(oneOf: wanted) else { return [] }
    var result: [(key: Key, entry: YAMLMapping.Entry)] = []
    for (index, item) in entries.found.enumerated() where wanted.contains(item.key) { result.append(entries[index]) }
    return result
  }

  /// Returns the entry if exactly one of the given keys is present; nil otherwise.
  func onlyEntry(of wanted: KeySet<Key>) -> (key: Key, entry: YAMLMapping.Entry)? {
    guard keys.intersection(wanted).count == 1 else { return nil }
    return entries.found.firstIndex { wanted.contains($0.key) }.map { entries[$0] }
  }

  /// Whether at least one of the given keys is present.
  func has(oneOf wanted: KeySet<Key>) -> Bool { !keys.isDisjoint(with: wanted) }

  /// Returns the key of the entry at the position `index` of ``entries``.
  func key(at index: Int) -> Key { entries.found[index].key }

  /// Whether the value of the entry at the position `index` of ``entries`` is null.
  func isNull(at index: Int) -> Bool { entries.mapping.isNull(at: Int(entries.found[index].position)) }

  /// Whether a key is present.
  func has(_ key: Key) -> Bool { keys.contains(key) }

  /// Returns the value of a key; nil if the key is missing or its value is null.
  func value(_ key: Key) -> YAMLNode? {
    guard keys.contains(key), let index = index(of: key) else { return nil }
    return isNull(at: index) ? nil : entries.mapping.value(at: Int(entries.found[index].position))
  }

  /// Whether a key is present and its value is null.
  func isNull(_ key: Key) -> Bool { keys.contains(key) && index(of: key).map(isNull(at:)) == true }
}

/// Reads known keys of a mapping before, or without, a ``MappingReader``, which would report its unknown keys. Use these methods only for a
/// mapping whose keys are checked elsewhere: a layer that is merged with other layers first, a step whose names are collected before
/// anything is compiled, or a value of which a key decides how it is read.
extension YAMLMapping {
  /// Returns the entry of a key; nil if there is none.
  func written<Key: DocumentKey>(_ key: Key) -> Entry? { entry(key.rawValue) }

  /// Returns the value of a key; nil if the key is missing or its value is null.
  func writtenValue<Key: DocumentKey>(_ key: Key) -> YAMLNode? { written(key).flatMap { $0.value.isNull ? nil : $0.value } }
}

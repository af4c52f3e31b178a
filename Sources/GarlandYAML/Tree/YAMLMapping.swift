/// A mapping: keys with their values, in the order in which they are written.
///
/// Merge keys (`<<`) are applied: the entries of the merged mapping take the place of the `<<`. If the mapping itself defines the key of a
/// merged entry, the merged entry is dropped.
public struct YAMLMapping: Sendable {
  /// A key and its value.
  public struct Entry: Sendable {
    /// The key, which is always a scalar.
    public let key: YAMLNode
    /// The value of the key: a node of any kind.
    public let value: YAMLNode

    package init(key: YAMLNode, value: YAMLNode) {
      self.key = key
      self.value = value
    }

    /// The key's text.
    public var name: String { key.text }
  }

  private enum Source: Sendable {
    case node(YAMLTree, Int32)
    case list([Entry], index: [String: Int]?)
  }

  /// The number of entries above which a lookup uses an index. For fewer entries, comparing all keys is faster and needs no memory.
  static let indexThreshold = 16

  private let source: Source

  init(_ tree: YAMLTree, _ node: Int32) { source = .node(tree, node) }

  /// Creates a mapping from entries of other mappings. No two entries may have the same key.
  package init(of entries: [Entry]) {
    guard entries.count > Self.indexThreshold else {
      source = .list(entries, index: nil)
      return
    }
    var index: [String: Int] = [:]
    index.reserveCapacity(entries.count)
    for (position, entry) in entries.enumerated() { index[entry.name] = position }
    source = .list(entries, index: index)
  }

  /// The entries in order; no two have the same key. Each access creates a new array.
  public var entries: [Entry] {
    switch source {
    case .list(let entries, _): entries
    case .node(let tree, let node): (0..<count).map { Self.entry($0, of: node, tree) }
    }
  }
  /// Whether there are no entries.
  public var isEmpty: Bool { count == 0 }
  /// The number of entries.
  public var count: Int {
    switch source {
    case .list(let entries, _): entries.count
    case .node(let tree, let node): tree.count(of: node) / 2
    }
  }

  /// Returns the entry of a key; nil when there is none.
  public func entry(_ key: String) -> Entry? {
    switch source {
    case .list(let entries, let index?): return index[key].map { entries[$0] }
    case .list(let entries, nil): return entries.first { $0.name == key }
    case .node(let tree, let node):
      var key = key
      let position = key.withUTF8 { bytes in
        if count > Self.indexThreshold, let index = tree.indexes[node] {
          return index.place(KeyIndex.hash(bytes)) { tree.hasText(tree.child(2 * $0, of: node), bytes) }
        }
        return (0..<count).first { tree.hasText(tree.child(2 * $0, of: node), bytes) }
      }
      return position.map { Self.entry($0, of: node, tree) }
    }
  }

  /// The value of a key; nil when there is no such key.
  public subscript(key: String) -> YAMLNode? { entry(key)?.value }

  // MARK: Access by position

  /// Returns the entry at a position.
  package func entry(at position: Int) -> Entry {
    switch source {
    case .list(let entries, _): entries[position]
    case .node(let tree, let node): Self.entry(position, of: node, tree)
    }
  }

  /// Returns the value of the entry at a position.
  package func value(at position: Int) -> YAMLNode {
    switch source {
    case .list(let entries, _): entries[position].value
    case .node(let tree, let node): YAMLNode(tree, tree.child(2 * position + 1, of: node))
    }
  }

  /// Whether the value of the entry at a position is null.
  package func isNull(at position: Int) -> Bool {
    switch source {
    case .list(let entries, _): entries[position].value.isNull
    case .node(let tree, let node): tree.isNull(tree.child(2 * position + 1, of: node))
    }
  }

  /// Calls `body` with the position and the UTF-8 of each key.
  package func forEachName(_ body: (Int, UnsafeBufferPointer<UInt8>) -> Void) {
    switch source {
    case .list(let entries, _):
      for position in entries.indices {
        var name = entries[position].name
        name.withUTF8 { body(position, $0) }
      }
    case .node(let tree, let node): tree.forEachKey(of: node, body)
    }
  }

  private static func entry(_ position: Int, of node: Int32, _ tree: YAMLTree) -> Entry {
    Entry(key: YAMLNode(tree, tree.child(2 * position, of: node)), value: YAMLNode(tree, tree.child(2 * position + 1, of: node)))
  }
}

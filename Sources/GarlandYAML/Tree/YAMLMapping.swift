/// Keys with their values, in the order in which they were written. Merge keys (`<<`) are applied: their entries stand where the `<<` stood,
/// without those that the mapping itself defines.
public struct YAMLMapping: Sendable {
  /// One key with its value.
  public struct Entry: Sendable {
    /// The key: always a scalar.
    public let key: YAMLNode
    /// The value.
    public let value: YAMLNode

    package init(key: YAMLNode, value: YAMLNode) {
      self.key = key
      self.value = value
    }

    /// The key's text.
    public var name: String { key.scalar?.text ?? "" }
  }

  /// Above this many entries a lookup uses an index; below, comparing is faster and takes no memory.
  static let indexThreshold = 16

  /// The entries in order; no two have the same key.
  public let entries: [Entry]
  private let index: [String: Int]?

  /// - Parameter index: the places of all keys, if the caller has them; else it is built when needed.
  init(_ entries: [Entry], index: [String: Int]? = nil) {
    self.entries = entries
    guard entries.count > Self.indexThreshold else {
      self.index = nil
      return
    }
    if let index {
      self.index = index
      return
    }
    var index: [String: Int] = [:]
    index.reserveCapacity(entries.count)
    for (position, entry) in entries.enumerated() { index[entry.name] = position }
    self.index = index
  }

  /// A mapping put together of entries of others, no two with the same key.
  package init(of entries: [Entry]) { self.init(entries) }

  /// Whether there are no entries.
  public var isEmpty: Bool { entries.isEmpty }
  /// The number of entries.
  public var count: Int { entries.count }

  /// The entry of a key.
  public func entry(_ key: String) -> Entry? {
    if let index { return index[key].map { entries[$0] } }
    return entries.first { entry in
      if case .scalar(let scalar) = entry.key.content { scalar.text == key } else { false }
    }
  }

  /// The value of a key; nil if the key is not there.
  public subscript(key: String) -> YAMLNode? { entry(key)?.value }
}

/// A small set of short names with a fast membership test.
struct NameSet: Sendable, ExpressibleByArrayLiteral {
  /// The names in the set.
  let names: [String]
  private let packed: [(count: Int, name: PackedName)]
  /// The lengths of the names, as a bit set: bit n is set if a name has n bytes. Most names that
  /// are not in the set are excluded by their length.
  private let lengths: UInt32

  init(_ names: [String]) {
    self.names = names
    packed = names.compactMap { name in PackedName(name).map { (name.utf8.count, $0) } }
    lengths = packed.reduce(0) { $0 | 1 << UInt32($1.count) }
  }

  init(arrayLiteral names: String...) { self.init(names) }

  func contains(_ name: String) -> Bool {
    var name = name
    return name.withUTF8 { contains($0) }
  }

  /// Whether the set contains a name, given as UTF-8.
  func contains(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard lengths >> UInt32(truncatingIfNeeded: min(name.count, 31)) & 1 != 0, let wanted = PackedName(name) else { return false }
    for index in packed.indices where packed[index].count == name.count && packed[index].name == wanted { return true }
    return false
  }
}

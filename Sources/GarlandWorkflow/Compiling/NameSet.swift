/// A few short names that others are looked for among.
struct NameSet: Sendable, ExpressibleByArrayLiteral {
  /// The names.
  let names: [String]
  private let packed: [(count: Int, name: PackedName)]
  /// A bit for each length that one of them has.
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

  /// The same of a name as UTF-8.
  func contains(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard lengths >> UInt32(truncatingIfNeeded: min(name.count, 31)) & 1 != 0, let wanted = PackedName(name) else { return false }
    for index in packed.indices where packed[index].count == name.count && packed[index].name == wanted { return true }
    return false
  }
}

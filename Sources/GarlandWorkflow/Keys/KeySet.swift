/// A set of keys that a mapping in a document can have, stored as one bit for each key. Its operations must be fast: every step of a
/// document is checked for dozens of keys, and has only few of them.
struct KeySet<Key: DocumentKey>: Sendable, ExpressibleByArrayLiteral {
  private var bits: UInt128 = 0

  init() {}

  init(arrayLiteral keys: Key...) { self.init(keys) }

  init(_ keys: [Key]) {
    for key in keys { insert(key) }
  }

  /// Whether the set is empty.
  var isEmpty: Bool { bits == 0 }
  /// The number of keys.
  var count: Int { bits.nonzeroBitCount }
  /// The keys, in the order in which they are declared.
  var keys: [Key] { Key.allCases.filter(contains) }

  func contains(_ key: Key) -> Bool { bits & Self.bit(of: key) != 0 }
  mutating func insert(_ key: Key) { bits |= Self.bit(of: key) }
  func isDisjoint(with other: KeySet) -> Bool { bits & other.bits == 0 }

  func union(_ other: KeySet) -> KeySet {
    var result = self
    result.bits |= other.bits
    return result
  }

  func intersection(_ other: KeySet) -> KeySet {
    var result = self
    result.bits &= other.bits
    return result
  }

  private static func bit(of key: Key) -> UInt128 { 1 &<< UInt128(truncatingIfNeeded: key.place) }
}

extension DocumentKey {
  /// The position of the key in the declaration of its enumeration, which is less than 128. To compare two keys fast, this property reads
  /// the position directly from memory: `==` on a `RawRepresentable` value would compare the names.
  var place: UInt8 { withUnsafeBytes(of: self) { $0.first ?? 0 } }

  /// Whether both keys are equal.
  func isSame(as other: Self) -> Bool { place == other.place }
}

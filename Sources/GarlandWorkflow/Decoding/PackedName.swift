/// A short name in three numbers, which are compared faster than texts.
struct PackedName: Equatable {
  /// How many bytes fit in.
  static let longest = 24

  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var third: UInt64 = 0

  /// The same of a text.
  init?(_ name: String) {
    var name = name
    guard let packed = name.withUTF8({ PackedName($0) }) else { return nil }
    self = packed
  }

  /// Nil if the name is longer than ``longest``. Names of different lengths are different, unless they end with zeros.
  init?(_ name: UnsafeBufferPointer<UInt8>) {
    let count = name.count
    guard count <= Self.longest else { return nil }
    for index in 0..<min(count, 8) { first |= UInt64(name[index]) &<< UInt64(index &* 8) }
    if count > 8 { for index in 8..<min(count, 16) { second |= UInt64(name[index]) &<< UInt64((index &- 8) &* 8) } }
    if count > 16 { for index in 16..<count { third |= UInt64(name[index]) &<< UInt64((index &- 16) &* 8) } }
  }
}

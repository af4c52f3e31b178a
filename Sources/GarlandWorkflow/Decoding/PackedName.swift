/// A short name in three numbers, which are compared faster than texts.
struct PackedName: Equatable {
  /// How many bytes fit in.
  static let longest = 24

  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var third: UInt64 = 0

  /// Nil if the name is longer than ``longest``. Names of different lengths are different, unless they end with zeros.
  init?(_ name: String) {
    let count = name.utf8.count
    guard count <= Self.longest else { return nil }
    var name = name
    name.withUTF8 { bytes in
      for index in 0..<min(count, 8) { first |= UInt64(bytes[index]) &<< UInt64(index &* 8) }
      if count > 8 { for index in 8..<min(count, 16) { second |= UInt64(bytes[index]) &<< UInt64((index &- 8) &* 8) } }
      if count > 16 { for index in 16..<count { third |= UInt64(bytes[index]) &<< UInt64((index &- 16) &* 8) } }
    }
  }
}

/// A short name, such as a key, that is packed into three integers, since integers are compared faster than texts.
struct PackedName: Equatable {
  /// The maximum length of a packed name in bytes.
  static let longest = 24

  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var third: UInt64 = 0

  /// Packs a text into three integers. Returns nil if the text is longer than ``longest`` bytes.
  init?(_ name: String) {
    var name = name
    guard let packed = name.withUTF8({ PackedName($0) }) else { return nil }
    self = packed
  }

  /// Packs a name. Returns nil if the name is longer than ``longest`` bytes. Compare two packed names only if the names have the same
  /// length: names of different lengths, such as `a` and `aa`, can result in equal packed names.
  ///
  /// - Parameter name: the name as UTF-8.
  init?(_ name: UnsafeBufferPointer<UInt8>) {
    let bytes = UnsafeRawBufferPointer(name)
    let count = bytes.count
    func number(at offset: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    switch count {
    case 0: break
    case 1...3: first = UInt64(bytes[0]) | UInt64(bytes[count / 2]) << 8 | UInt64(bytes[count - 1]) << 16
    case 4...7:
      first =
        UInt64(bytes.loadUnaligned(as: UInt32.self)) | UInt64(bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)) << 32
    case 8...16: (first, second) = (number(at: 0), number(at: count - 8))
    case 17...Self.longest: (first, second, third) = (number(at: 0), number(at: 8), number(at: count - 8))
    default: return nil
    }
  }
}

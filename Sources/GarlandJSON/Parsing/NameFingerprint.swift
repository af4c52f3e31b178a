/// Computes fingerprints of names. Equal names have equal fingerprints; most different names have different
/// ones.
enum NameFingerprint {
  /// Returns the fingerprint of a name. It combines the length and the first and last eight bytes, which are
  /// different for nearly all names of one object.
  @inline(__always)
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    var first: UInt64 = 0
    var last: UInt64 = 0
    if count >= 8 {
      first = bytes.loadUnaligned(as: UInt64.self)
      last = bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    } else {
      for byte in bytes { first = first << 8 | UInt64(byte) }
    }
    let mixed = (first &* 0x9E37_79B9_7F4A_7C15) ^ (last &* 0xC2B2_AE3D_27D4_EB4F) &+ UInt64(truncatingIfNeeded: count)
    return mixed ^ mixed >> 29
  }
}

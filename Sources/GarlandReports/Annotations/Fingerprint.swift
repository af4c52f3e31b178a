/// An identifier of a finding that does not change when lines above the finding move, so that another system
/// can distinguish old findings from new ones.
enum Fingerprint {
  /// Returns a fingerprint of some texts, as 32 hexadecimal digits.
  static func of(_ parts: [String]) -> String {
    // The algorithm is FNV-1a with 128 bits. It needs no cryptographic strength, and cannot fail.
    var hash = UInt128(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    for part in parts {
      for byte in part.utf8 { hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b }
      hash = (hash ^ 0xff) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}

/// A network: addresses that share their first bits, or a single address.
struct IPNetwork: Hashable {
  let address: IPAddress
  let bits: Int

  /// Parses a network such as `10.0.0.0/8`, `fd00::/8` or `127.0.0.1`; nil if the text is not a
  /// network.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let address = IPAddress(String(parts[0])) else { return nil }
    let all = address.bytes.count * 8
    if parts.count == 2 {
      guard let bits = Int(parts[1]), (0...all).contains(bits) else { return nil }
      self.bits = bits
    } else {
      bits = all
    }
    self.address = address
  }

  func contains(_ other: IPAddress) -> Bool {
    guard other.bytes.count == address.bytes.count else { return false }
    let whole = bits / 8
    guard address.bytes[..<whole].elementsEqual(other.bytes[..<whole]) else { return false }
    let rest = bits % 8
    if rest == 0 { return true }
    let mask = UInt8(truncatingIfNeeded: 0xFF00 >> rest)
    return address.bytes[whole] & mask == other.bytes[whole] & mask
  }
}
